import { decide, type Decided, type Decision, memoryOf } from "../team/mod.ts";
import { counted } from "../../core/text/counted.ts";
import type { Env } from "../../paths.ts";
import { refuseModel } from "./consent.ts";

/** What is said of a decision about a team's notes, and how it is taken back: `memo undo` reaches no server. */
const DECIDED: Readonly<Record<Decision, { readonly say: string; readonly isFinal: string }>> = {
  approved: {
    say: "Approved",
    isFinal: "it is on the team's server; `memo team retire` takes an approved note back",
  },
  rejected: {
    say: "Rejected",
    isFinal:
      "it is on the team's server; what was rejected is proposed again with `memo share NAME --to TEAM`",
  },
  retired: {
    say: "Retired",
    isFinal:
      "it is on the team's server; what was retired is proposed again with `memo share NAME --to TEAM`",
  },
};

/** A decision that was made, and what others had decided meanwhile. */
export interface Reviewed<Note> {
  readonly notes: readonly Note[];
  readonly said: string;
  readonly isFinal: string;
  readonly meanwhile: readonly string[];
}

/** Decides about notes of teams, on their servers; a model is refused before one of them is looked for. */
export async function review<Note extends Decided>(
  find: () => readonly Note[] | Promise<readonly Note[]>,
  decision: Decision,
  { now, env }: { readonly now: Date; readonly env: Env },
): Promise<Reviewed<Note>> {
  refuseModel(env, "decide about a team's notes", "memo team pending");
  const notes = await find();
  const meanwhile = await decide(notes, decision, now);
  const [first] = notes as readonly [Note];
  const what = notes.length === 1
    ? `“${memoryOf(first.version.proposal).name}” in ${first.member.name}`
    : counted(notes.length, "note");
  const { say, isFinal } = DECIDED[decision];
  return { said: `${say} ${what}`, isFinal, meanwhile, notes };
}
