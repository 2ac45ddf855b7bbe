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

/** Records a person's decision about a note on the team's server, and reads what it is now. Rejects with a MemoError. */
export async function decide(
  { member, team, note, version: { proposal } }: Decided,
  decision: Decision,
  now: Date,
): Promise<void> {
  if (decision === "approved" && !mayApprove(member.as, proposal, team.rules?.alone ?? [])) {
    throw new MemoError("usage", "Cannot approve your own proposal: another person has to", {
      hint: `Ask a colleague to run \`memo team approve ${note.id}\``,
    });
  }
  const entry: NewEntry = {
    ...{ id: note.id, kind: "note", body: "", sha256: proposal.sha256, author: member.as },
    ...{ state: STATES[decision], origin: {}, at: now.toISOString() },
  };
  {
    using server = open(member);
    await server.append([entry]);
  }
  await poll(member, now);
}
