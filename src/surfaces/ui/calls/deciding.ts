// What waits for a person's word, and the words that they can give.

import * as z from "zod";
import { released } from "../../../core/memory/provenance.ts";
import { revision } from "../../../core/change/change.ts";
import { markDistinct } from "../../../core/relation/distinct.ts";
import { newChangeId } from "../../../core/ledger/change_log.ts";
import { counted } from "../../../core/text/counted.ts";
import { accept as confirmAll } from "../../../features/verbs/accept.ts";
import { changeAs, memoriesIn } from "../../../features/verbs/changed.ts";
import { refuseModel } from "../../../features/verbs/consent.ts";
import { letStand, takeOver } from "../../../features/verbs/stand.ts";
import { review as decide } from "../../../features/verbs/review.ts";
import {
  defineDecision,
  doingFor,
  idSchema,
  idsSchema,
  memoriesOf,
  ownMemories,
  type Reply,
} from "../memories/changing.ts";
import { DECISIONS, settle as settleAll } from "../review/conflicts.ts";
import { partsOf, versionsOf } from "../review/proposal.ts";
import { itemOf, waitingFor } from "../review/waiting.ts";
import { type CallContext, defineCall } from "./call.ts";

/** `review {}`: what waits for a person's word; while `left` is more than 0 or it `isLooking`, there is more to come. */
export const review = defineCall({
  name: "review",
  writes: false,
  params: z.strictObject({}),
  run: (_params, context) => waitingFor(context),
});

/** `proposal {id}`: what a merge would change, or how the two versions of a memory differ, line by line. */
export const proposal = defineCall({
  name: "proposal",
  writes: false,
  params: z.strictObject({ id: idSchema }),
  run({ id }, context) {
    const item = itemOf(id, context, "merge", "conflict");
    const parts = item.kind === "merge" ? partsOf(item.steps) : versionsOf(item.conflict);
    return Promise.resolve({ parts });
  },
});

/** `keep {ids}`: lets memories in that were held back. */
export const keep = defineDecision("keep", (ids, context) => {
  refuseModel(context.env, "keep what was held", "memo ui");
  const found = ownMemories(ids, "keep", context);
  const changesOf = (group: string) =>
    found.map((each) => {
      const { body, tags, confidence } = released(each.memory);
      return revision(each, { body, tags, confidence }, { what: "edit", group });
    });
  return changeAs("Kept", changesOf, doingFor(context));
});

/** `confirm {ids}`: takes notes for the person's own that are not their word. */
export const confirm = defineDecision("confirm", async (ids, context) => {
  refuseModel(context.env, "confirm notes", "memo trust");
  const found = memoriesOf(ids, context);
  const changed = await confirmAll(found, context.paths.trust, doingFor(context));
  const theirs = new Set(found.map(({ folder }) => folder).filter(({ scope }) => scope === "auto"));
  for (const folder of theirs) await context.engine.sync(folder);
  return {
    said: `Confirmed ${memoriesIn(found.map(({ memory }) => memory), 0)}`,
    group: changed?.group,
    ...theirs.size > 0 && { isFinal: "Claude Code's own notes stay confirmed" },
  };
});

/** `accept {ids}`: writes into notes where what they name is now, and which values it has. */
export const accept = defineDecision(
  "accept",
  (ids, context) => takeOver(driftedOf(ids, context), doingFor(context)),
);

/** `stand {ids}`: notes that they hold as they are. */
export const stand = defineDecision(
  "stand",
  (ids, context) => letStand(driftedOf(ids, context), doingFor(context)),
);

function driftedOf(ids: readonly string[], context: CallContext) {
  return ids.map((id) => itemOf(id, context, "drift").note);
}

/** `merge {ids}`: merges memories that say the same, as a dream would. */
export const merge = defineDecision("merge", (ids, context) => {
  const all = ids.flatMap((id) => itemOf(id, context, "merge").steps);
  const changesOf = (group: string) => all.map((step) => ({ ...step, group }));
  return changeAs("Merged", changesOf, doingFor(context));
});

/** `both {ids}`: notes that memories which are alike are several, so that they are not asked about again. */
export const both = defineDecision("both", (ids, context) => {
  const all = ids.map((id) => itemOf(id, context, "merge", "pair").memories);
  const group = newChangeId();
  for (const memories of all) markDistinct(memories, { group, now: context.now() });
  const what = all.length === 1
    ? `both ${all[0]!.map(({ memory }) => `“${memory.name}”`).join(" and ")}`
    : `all of ${counted(all.length, "group")}`;
  return Promise.resolve({ said: `Kept ${what}`, group });
});

/**
 * `settle {ids, keep}`: decides about memories that a sync has kept twice: the version that applies stays, or the other
 * one, or both as two memories, or one with the lines of both.
 */
export const settle = defineCall({
  name: "settle",
  writes: true,
  params: z.strictObject({ ids: idsSchema, keep: z.enum(DECISIONS) }),
  run: ({ ids, keep }, context): Promise<Reply> => {
    const all = [...new Set(ids)].map((id) => itemOf(id, context, "conflict").conflict);
    return settleAll(all, keep, context);
  },
});

/** `approve {ids}`: decides about proposals to teams, on their servers; there `memo log` and `undo` have no say. */
export const approve = defineDecision("approve", decideAs("approved"));

/** `reject {ids}`: the same. */
export const reject = defineDecision("reject", decideAs("rejected"));

function decideAs(decision: "approved" | "rejected") {
  return async (ids: readonly string[], context: CallContext): Promise<Reply> => {
    const find = () => ids.map((id) => itemOf(id, context, "note").decided);
    const { now, env } = context;
    const { said, isFinal, meanwhile } = await decide(find, decision, { now: now(), env });
    return { said: [said, ...meanwhile].join("; "), isFinal };
  };
}
