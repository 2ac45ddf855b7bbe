// What a person says of a note that the code has left behind.

import { revision } from "../../core/change/change.ts";
import { refuseForeign } from "../../core/change/own.ts";
import type { Found } from "../../core/ledger/find.ts";
import type { Memory } from "../../core/memory/memory.ts";
import type { Drift, Standing } from "../../core/relation/standing.ts";
import { changeAs, type Changed, type Doing } from "./changed.ts";

/** A note, and what has become of the things that it names. */
export type Drifted = Found & Pick<Standing, "drift">;

/** Writes into notes where the things that they name are now, and which values they have. */
export async function takeOver(notes: readonly Drifted[], doing: Doing): Promise<Changed> {
  return await revise("Changed", notes, doing, ({ memory, drift }) => {
    // With a new date, what else the note names would count from today.
    const isAll = drift.every(({ verdict }) => verdict !== "gone");
    return { ...plainly(memory, drift), ...isAll ? dated(doing) : {} };
  });
}

/** Whether that would change a note. */
export function mayTakeOver({ memory, drift }: Drifted): boolean {
  const now = plainly(memory, drift);
  return TEXTS.some((key) => now[key] !== memory[key]);
}

/** Notes that they stand as they are: from now on they are compared with what is there today. */
export async function letStand(notes: readonly Drifted[], doing: Doing): Promise<Changed> {
  return await revise("Kept", notes, doing, () => dated(doing));
}

async function revise(
  verb: string,
  notes: readonly Drifted[],
  doing: Doing,
  fieldsOf: (note: Drifted) => Partial<Memory>,
): Promise<Changed> {
  for (const note of notes) refuseForeign(note, "change");
  const how = { what: "edit", keepsTrust: true } as const;
  return await changeAs(
    verb,
    (group) => notes.map((note) => revision(note, fieldsOf(note), { ...how, group })),
    doing,
  );
}

const TEXTS = ["name", "description", "body"] as const;

/** The texts of a note with the new places and values in them. */
function plainly(
  { name, description, body }: Memory,
  drift: readonly Drift[],
): Pick<Memory, typeof TEXTS[number]> {
  const now = (text: string) => drift.reduce(rewritten, text);
  return { name: now(name), description: now(description), body: now(body) };
}

const dated = ({ now }: Doing) => ({ updated: now.toISOString() });

/** Signs before a version. */
const SIGNS = /^[~^<>=v\s]+/;

/** A text with a new place or value in it: a path wherever it stands, a value beside its name, or where it stands once. */
function rewritten(text: string, { verdict, thing, from, to }: Drift): string {
  if (verdict === "gone" || to === undefined) return text;
  if (verdict === "moved") return /[./]/.test(thing) ? text.replace(whole(thing), () => to) : text;
  const pairs = [[from ?? thing, to], [from?.replace(SIGNS, "") ?? "", to.replace(SIGNS, "")]];
  for (const [old = "", now = ""] of pairs) {
    if (old === "") continue;
    const after = new RegExp(`(${RegExp.escape(thing)}[^]{0,60}?)${whole(old).source}`);
    if (after.test(text)) return text.replace(after, (_, before: string) => before + now);
    if ([...text.matchAll(whole(old))].length === 1) return text.replace(whole(old), () => now);
  }
  return text;
}

function whole(text: string): RegExp {
  const before = /^[\w/.]/.test(text) ? "(?<![\\w/.-])" : "";
  const after = /[\w/]$/.test(text) ? "(?![\\w/-]|\\.\\w)" : "";
  return new RegExp(before + RegExp.escape(text) + after, "g");
}
