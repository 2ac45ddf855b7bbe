import { MemoError } from "../errors.ts";
import type { NewEntry, State } from "./entry.ts";
import { mayApprove, type Note, type Team, type Version } from "./fold.ts";
import type { Membership } from "./membership.ts";
import { open, poll } from "./poll.ts";

/** The decisions of a reviewer, and the row that each writes. */
const STATES = {
  approved: "approved",
  rejected: "retired",
  retired: "retired",
} as const satisfies Record<string, State>;
export type Decision = keyof typeof STATES;

/** A version of a note that is decided about. */
export interface Decided {
  readonly member: Membership;
  readonly team: Team;
  readonly note: Note;
  readonly version: Version;
}

/**
 * Records a person's decision about notes on their teams' servers, for each team in one step, and reads what they are
 * now. Rejects with a MemoError.
 */
export async function decide(
  all: readonly Decided[],
  decision: Decision,
  now: Date,
): Promise<void> {
  for (const { member, team, note, version: { proposal } } of all) {
    const may = decision !== "approved" ||
      mayApprove(member.as, proposal, team.rules?.alone ?? []);
    if (may) continue;
    throw new MemoError("usage", "Cannot approve your own proposal: another person has to", {
      hint: `Ask a colleague to run \`memo team approve ${note.id}\``,
    });
  }
  const entryFor = ({ member, note, version: { proposal: { sha256 } } }: Decided): NewEntry => ({
    ...{ id: note.id, kind: "note", body: "", sha256, author: member.as },
    ...{ state: STATES[decision], origin: {}, at: now.toISOString() },
  });
  for (const its of Map.groupBy(all, ({ member }) => member.folder).values()) {
    const { member } = its[0]!;
    {
      using server = open(member);
      await server.append(its.map(entryFor));
    }
    await poll(member, now);
  }
}
