// What waits for a person's word, and the words that they can give.

import { refuseForeign, revision } from "../../../core/change/change.ts";
import { markDistinct } from "../../../core/relation/relate.ts";
import { newChangeId } from "../../../core/ledger/change_log.ts";
import { released } from "../../../core/memory/provenance.ts";
import { accept as confirmAll, review as decide } from "../../../features/verbs/accept.ts";
import { changeAs, letStand, refuseModel } from "../../../features/verbs/changed.ts";
import { itemOf, waitingFor } from "../waiting.ts";
import { type CallContext, decision, doingFor, look, memoryOf } from "./call.ts";

/** `review {}`: what waits for a person's word. */
export const review = look({}, (_, context) => waitingFor(context));

/** `keep {id}`: lets a memory in that was held back. */
export const keep = decision((id, context) => {
  refuseModel(context.env, "keep a memory", "memo ui");
  const found = memoryOf(id, context);
  refuseForeign(found, "keep");
  const { body, tags, confidence } = released(found.memory);
  const changesOf = (group: string) => [
    revision(found, { body, tags, confidence }, { what: "edit", group }),
  ];
  return changeAs("Kept", changesOf, doingFor(context));
});

/** `confirm {id}`: takes a note that is not the person's word for their own. */
export const confirm = decision(async (id, context) => {
  refuseModel(context.env, "confirm memories", "memo trust");
  const found = memoryOf(id, context);
  const changed = await confirmAll([found], context.paths.trust, doingFor(context));
  const isTheirs = found.folder.scope === "auto";
  if (isTheirs) await context.engine.sync(found.folder);
  return {
    said: `Confirmed “${found.memory.name}”`,
    group: changed?.group,
    ...isTheirs && { isFinal: "Claude Code's memories stay confirmed" },
  };
});

/** `stand {id}`: notes that a memory holds as it is. */
export const stand = decision(
  (id, context) => letStand([itemOf(id, context, "drift").note], doingFor(context)),
);

/** `both {id}`: notes that two memories both hold, so that nobody is asked about them again. */
export const both = decision((id, context) => {
  const { memories } = itemOf(id, context, "pair");
  const group = newChangeId();
  markDistinct(memories, { group, now: context.now() });
  const names = memories.map(({ memory }) => `“${memory.name}”`);
  return { said: `Kept both ${names.join(" and ")}`, group };
});

/** `approve {id}`: decides about a proposal to a team, on its server; there `memo log` and `undo` have no say. */
export const approve = decision(decideAs("approved"));

/** `reject {id}`: the same. */
export const reject = decision(decideAs("rejected"));

function decideAs(word: "approved" | "rejected") {
  return async (id: string, context: CallContext) => {
    const find = () => [itemOf(id, context, "note").decided];
    const { now, env } = context;
    const { said, isFinal, meanwhile } = await decide(find, word, { now: now(), env });
    return { said: [said, ...meanwhile].join("; "), isFinal };
  };
}
