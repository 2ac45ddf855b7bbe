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
import type { FoundMemory } from "../../core/ledger/find.ts";

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
    throw new MemoError("file", "Cannot apply this: a memory has changed since it was read", {
      hint: "Run `memo show NAME` to read it again, then retry",
    });
  }
  const added = done.filter(({ change }) => change.kind === "add").length;
  const what = memoriesIn(done.map(({ memory }) => memory), added);
  return { said: `${verb} ${what}${stayed(left.length)}`, group, done, left };
}

/** What is said of memories that somebody has changed since they were decided about. */
export function stayed(count: number): string {
  return count === 0 ? "" : `; skipped ${counted(count, "memory")} that changed since`;
}

/** What some changes were about, in words. A memory that was moved was added in one place, and archived in another. */
export function memoriesIn(changed: readonly { readonly name: string }[], added: number): string {
  const count = Math.max(added, changed.length - added);
  return count === 1 ? `“${changed[0]!.name}”` : counted(count, "memory");
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

/** Notes that memories stand as they are: from now on they are compared with what is there today. */
export async function letStand(notes: readonly FoundMemory[], doing: Doing): Promise<Changed> {
  for (const note of notes) refuseForeign(note, "change");
  const how = { what: "edit", keepsTrust: true } as const, updated = doing.now.toISOString();
  return await changeAs(
    "Kept",
    (group) => notes.map((note) => revision(note, { updated }, { ...how, group })),
    doing,
  );
}
