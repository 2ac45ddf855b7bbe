// A verb is what a person can do to memories, or a model for them: one function that refuses, changes, and says what was
// done. Command line, page and tools are doors to it: each finds the memories by the names it knows, calls, and prints.

import { type Applied, type ApplyOptions, carryOut } from "../../core/change/carry_out.ts";
import { type FileChange, refuseForeign, revision } from "../../core/change/change.ts";
import type { Surroundings } from "../../core/change/follow.ts";
import { MemoError } from "../../errors.ts";
import { newChangeId } from "../../core/ledger/change_log.ts";
import { counted } from "../../core/text/counted.ts";
import { isOfSession } from "../../core/link/session_env.ts";
import type { Env } from "../../paths.ts";
import type { Found } from "../../core/ledger/find.ts";
import type { Memory } from "../../core/memory/memory.ts";
import type { Drift, Standing } from "../../core/relation/standing.ts";

/** Where a verb makes its changes. */
export type Doing = Surroundings & Pick<ApplyOptions, "pause">;

/** What a verb has done; `memo undo` takes the group back in one. */
export interface Changed extends Applied {
  readonly said: string;
  readonly group: string;
}

/** A verb that found all as it was to be. */
export interface Unchanged {
  readonly said: string;
  readonly group?: undefined;
}

/** Makes changes as one group, and says so: `verb` is what was done to the memories that changed. */
export async function changeAs(
  verb: string,
  changesOf: (group: string) => readonly FileChange[],
  doing: Doing,
): Promise<Changed> {
  const group = newChangeId();
  const { done, left } = await carryOut(changesOf(group), doing);
  if (done.length === 0 && left.length > 0) {
    throw new MemoError("file", "Cannot do that: a memory has changed since it was read", {
      hint: "Look at it again",
    });
  }
  const added = done.filter(({ change }) => change.kind === "add").length;
  const what = memoriesIn(done.map(({ memory }) => memory), added);
  return { said: `${verb} ${what}${stayed(left.length)}`, group, done, left };
}

/** What is said of memories that somebody has changed since they were decided about. */
export function stayed(count: number): string {
  return count === 0 ? "" : `; ${counted(count, "memory", "memories")} changed since and stayed`;
}

/** What some changes were about, in words. A memory that was moved was added in one place, and archived in another. */
export function memoriesIn(changed: readonly { readonly name: string }[], added: number): string {
  const count = Math.max(added, changed.length - added);
  return count === 1 ? `“${changed[0]!.name}”` : counted(count, "memory", "memories");
}

/** Whether a model runs a command, in Claude Code's shell. */
export function isModel(env: Env): boolean {
  return isOfSession(env);
}

/** Throws within Claude Code: what a person consents to, with a command, a model must not decide in their place. */
export function refuseModel(env: Env, what: string, command: string): void {
  if (!isModel(env)) return;
  throw new MemoError("usage", `Cannot ${what} from within Claude Code: only you can decide that`, {
    hint: `Run \`${command}\` in your own terminal`,
  });
}

// What a person says of a note that the code has left behind.
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
