import type { Recall } from "../recall/recall.ts";
import { blockName, type Receipt, writeReceipt } from "../recall/receipts.ts";
import { type EventContext, type HookEvent, textOf } from "./event.ts";

/** Leaves the line in the state folder that says what an event was given. */
export function leaveReceipt(
  event: HookEvent,
  context: EventContext,
  result: Pick<Recall, "outcome" | "why" | "entries" | "block" | "timings">,
): void {
  const receipt: Receipt = {
    at: context.now().toISOString(),
    event: event.name,
    session: event.session,
    prompt_id: event.promptId,
    cwd: event.cwd,
    transcript: textOf(event.fields["transcript_path"]),
    outcome: result.outcome,
    why: result.why,
    memories: result.entries.map(({ candidate }) => ({
      path: candidate.memory.path,
      score: Math.round(candidate.score * 1000) / 1000,
      strategy: candidate.strategy,
    })),
    chars: result.block?.length ?? 0,
    ...(result.block === undefined ? {} : { block: blockName(result.block) }),
    ms: result.timings,
  };
  context.afterwards(() => writeReceipt(context.paths.receipts, receipt));
}
