import { decide } from "../../team/decide.ts";
import { memoryOf } from "../../team/entry.ts";
import { counted } from "../../text/counted.ts";
import type { CallContext } from "../calls/call.ts";
import type { Changed } from "../memories/changing.ts";
import { refuseModel } from "./consent.ts";
import { itemOf } from "./waiting.ts";

/** What is said of a decision about a team's notes, and why no key takes it back. */
const DECIDED = {
  approved: {
    say: "Approved",
    isFinal: "it is on the team's server; `memo team retire` takes an approved note back",
  },
  rejected: {
    say: "Rejected",
    isFinal:
      "it is on the team's server; what was rejected is proposed again with `memo share NAME --to TEAM`",
  },
} as const;

/** Decides about the proposals with some ids. */
export async function decideAll(
  ids: readonly string[],
  decision: keyof typeof DECIDED,
  context: CallContext,
): Promise<Changed> {
  refuseModel(context, "decide about a team's notes");
  const all = [...new Set(ids)].map((id) => itemOf(id, context, "note").decided);
  const meanwhile = await decide(all, decision, context.now());
  const [{ member, version }] = all as [typeof all[number]];
  const { say, isFinal } = DECIDED[decision];
  const what = all.length === 1
    ? `“${memoryOf(version.proposal).name}” in ${member.name}`
    : counted(all.length, "note");
  return { said: [`${say} ${what}`, ...meanwhile].join("; "), isFinal };
}
