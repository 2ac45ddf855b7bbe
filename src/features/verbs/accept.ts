// Notes that no conversation of the user's has written: a person takes them for their own, or leaves them marked.

import { revision } from "../../core/change/change.ts";
import { grant, isUnwatched } from "../../core/memory/trust.ts";
import { markOf } from "../../core/memory/provenance.ts";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { readMemories } from "../../core/memory/list.ts";
import type { Place } from "../../core/memory/project.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { changeAs, type Changed, type Doing, refuseModel } from "./changed.ts";
import { decide, type Decided, memoryOf, type ReviewDecision } from "../team/mod.ts";
import { counted } from "../../core/text/counted.ts";
import type { Env } from "../../paths.ts";

/** The notes at a place that were imported, or that lie in Claude Code's auto memory and that no session wrote. */
export function arrivalsAt(place: Place): Omit<FoundMemory, "archived">[] {
  return memoryFolders(place).filter(({ scope }) => scope !== "shared" && scope !== "team").flatMap(
    (folder) =>
      readMemories(folder).memories.filter((memory) =>
        isUnwatched(memory, folder) || markOf(memory)?.tag === "elsewhere"
      ).map((memory) => ({ memory, folder })),
  );
}

/** Confirms such notes: those of auto memory in the file of what is trusted, others by a tag, which is in the log of changes. */
export async function accept(
  arrivals: ReturnType<typeof arrivalsAt>,
  file: string,
  doing: Doing,
): Promise<Changed | undefined> {
  const [theirs, own] = [true, false].map((isAuto) =>
    arrivals.filter(({ folder }) => (folder.scope === "auto") === isAuto)
  ) as [typeof arrivals, typeof arrivals];
  for (const [project, some] of Map.groupBy(theirs, ({ folder }) => folder.path)) {
    await grant({ file, project }, some.flatMap(({ memory: { digest } }) => digest ?? []), "you");
  }
  if (own.length === 0) return undefined;
  const confirmed = ({ memory: { tags } }: typeof own[number]) => ({
    tags: [...tags, "confirmed"],
  });
  return await changeAs(
    "Confirmed",
    (group) => own.map((each) => revision(each, confirmed(each), { what: "edit", group })),
    doing,
  );
}

/** What is said of a decision about a team's notes, and how it is taken back: `memo undo` reaches no server. */
const DECIDED: Readonly<Record<ReviewDecision, readonly [say: string, back: string]>> = {
  approved: ["Approved", "`memo team retire` withdraws an approved memory"],
  rejected: ["Rejected", "`memo share NAME --to TEAM` proposes it again"],
  retired: ["Retired", "`memo share NAME --to TEAM` proposes it again"],
};

/** Decides about notes of teams, on their servers; a model is refused before one of them is looked for. */
export async function review<Note extends Decided>(
  find: () => readonly Note[] | Promise<readonly Note[]>,
  decision: ReviewDecision,
  { now, env }: { readonly now: Date; readonly env: Env },
) {
  refuseModel(env, "review a team's memories", "memo team pending");
  const notes = await find();
  const meanwhile = await decide(notes, decision, now);
  const [first] = notes as readonly [Note];
  const what = notes.length === 1
    ? `“${memoryOf(first.version.proposal).name}” in ${first.member.name}`
    : counted(notes.length, "memory");
  const [say, back] = DECIDED[decision], isFinal = `it is on the team's server; ${back}`;
  return { said: `${say} ${what}`, isFinal, meanwhile, notes };
}
