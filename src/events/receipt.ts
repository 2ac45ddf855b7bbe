import { createHash } from "node:crypto";
import type { Recall } from "../recall/recall.ts";
import { writeReceipt } from "../recall/receipts.ts";
import { type EventContext, type HookEvent, textOf } from "./event.ts";

/** Leaves the line in the state folder that says what an event was given. */
export function leaveReceipt(
  event: HookEvent,
  context: EventContext,
  result: Pick<Recall, "outcome" | "why" | "entries" | "block" | "timings">,
): void {
  writeReceipt(context.paths.receipts, {
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
    ...(result.block === undefined ? {} : { block: hashOf(result.block) }),
    ms: result.timings,
  });
}

/** Names a block, so that its delivery can be told from the transcript. */
export function hashOf(block: string): string {
  return createHash("sha256").update(block).digest("hex").slice(0, 16);
}
