import type { HookOutput } from "../../../hooks/wire.ts";
import { compose } from "../recall/recall.ts";
import { additionalContext, type EventContext, type HookEvent, SILENT } from "./event.ts";
import { conversationOf, leaveRecallReceipt } from "./conversation.ts";
import { seen } from "./seen.ts";
import { note } from "./user_prompt_submit.ts";

/** Tools have run: delivers, once, what a language model has picked for the prompt meanwhile. */
export async function deliverLate(
  event: HookEvent<"PostToolBatch">,
  context: EventContext,
): Promise<HookOutput> {
  const { session } = event;
  const { folders, config } = context;
  // Tools of a subagent run under the session's id, and the text would go to the subagent.
  if (session === undefined || event.isSubagent) return SILENT;
  const settled = context.prefetches.take(session);
  if (settled === undefined) return SILENT;
  const isLate = settled.promptId !== event.promptId;
  const rankings = settled.rankings.map((ranking) => ({ ...ranking, isLate }));
  const conversation = await conversationOf(event, context);
  const result = await context.withIndex(async (index) =>
    await compose(
      rankings,
      { folders, shown: conversation.shown, terms: settled.terms },
      {
        corpus: await index.corpus(folders),
        config,
        now: context.now(),
        hasTools: context.hasTools,
      },
    )
  );
  note(event, context, { conversation, result });
  leaveRecallReceipt(event, context, result);
  const recalled = result.entries.map(({ fused }) => fused.memory.name);
  return { ...additionalContext("PostToolBatch", result.block), ...seen(event, context, recalled) };
}
