import type { Recall } from "../recall/recall.ts";
import { blockName, type Receipt, type ReceiptMemory, writeReceipt } from "../recall/receipts.ts";
import { type EventContext, type HookEvent } from "./event.ts";

/** What a receipt is made of. */
type Given = Pick<Recall, "outcome" | "why" | "block" | "timings"> & {
  readonly memories: readonly ReceiptMemory[];
};

/** Leaves the line in the state folder that says what recall gave an event. */
export function leaveRecallReceipt(
  event: HookEvent,
  context: EventContext,
  { entries, ...result }: Pick<Recall, "outcome" | "why" | "entries" | "block" | "timings">,
): void {
  const memories = entries.map(({ candidate: { memory, score, strategy } }) => ({
    path: memory.path,
    score: Math.round(score * 1000) / 1000,
    strategy,
  }));
  leaveReceipt(event, context, { ...result, memories });
}

/** Leaves the line in the state folder that says what an event was given. */
export function leaveReceipt(event: HookEvent, context: EventContext, result: Given): void {
  const receipt: Receipt = {
    at: context.now().toISOString(),
    event: event.name,
    session: event.session,
    prompt_id: event.promptId,
    cwd: event.cwd,
    transcript: event.transcript,
    outcome: result.outcome,
    why: result.why,
    memories: result.memories,
    chars: result.block?.length ?? 0,
    ...(result.block === undefined ? {} : { block: blockName(result.block) }),
    ms: result.timings,
  };
  context.afterwards(() => writeReceipt(context.paths.receipts, receipt));
}
