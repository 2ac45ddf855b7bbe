import { messageOf } from "../errors.ts";
import type { Dropped } from "../recall/fuse.ts";
import type { Recall } from "../recall/recall.ts";
import { type Receipt, type ReceiptMemory, writeReceipt } from "../recall/receipts.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import { blockName } from "../text/block.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** So many memories that were left out are named. */
const MISSES = 3;
/** So much of a prompt is kept, in UTF-16 units, and so much is looked at for secrets. */
const PROMPT_CHARS = 80;
const REDACTED_CHARS = 400;

/** What a receipt is made of. */
type Given = Pick<Recall, "outcome" | "why" | "block" | "timings"> & {
  readonly memories: readonly ReceiptMemory[];
  readonly dropped?: readonly Dropped[];
};

/** An event that was given nothing. */
export const NOTHING_GIVEN = { block: undefined, memories: [], timings: {} } as const;

/** Leaves the line in the state folder that says what recall gave an event. */
export function leaveRecallReceipt(
  event: HookEvent,
  context: EventContext,
  { entries, ...result }: Pick<
    Recall,
    "outcome" | "why" | "entries" | "block" | "timings" | "dropped"
  >,
): void {
  leaveReceipt(event, context, {
    ...result,
    memories: entries.map(({ fused }) => named(fused)),
  });
}

/**
 * Leaves the line in the state folder that says what an event was given, once the answer is out: an answer that the
 * hook did not wait for was not given.
 */
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
    ms: result.timings,
  };
  const block = result.block === undefined ? {} : { block: blockName(result.block) };
  const misses = nearest(result.dropped ?? []);
  context.afterwards(async (isTaken) => {
    const prompt = await firstWords(event, context);
    writeReceipt(context.paths.receipts, {
      ...receipt,
      ...(prompt === undefined ? {} : { prompt }),
      ...(isTaken ? block : { outcome: "late" }),
      ...(misses.length === 0 ? {} : { misses }),
    });
  });
}

function named(
  { memory, score, strategy }: Pick<Dropped, "memory" | "score" | "strategy">,
): ReceiptMemory {
  return { path: memory.path, score: Math.round(score * 1000) / 1000, strategy };
}

function nearest(dropped: readonly Dropped[]): Receipt["misses"] & object {
  return dropped.toSorted((a, b) => b.score - a.score).slice(0, MISSES)
    .map((each) => ({ ...named(each), because: each.because }));
}

/** What a prompt begins with, without its secrets. */
async function firstWords(
  event: HookEvent,
  { config, log, redact }: EventContext,
): Promise<string | undefined> {
  if (event.name !== "UserPromptSubmit") return undefined;
  try {
    // A secret that the cut would leave half of is found whole.
    const text = await redact(
      event.prompt.slice(0, REDACTED_CHARS),
      ownPatterns(config["redact.patterns"]),
    );
    const line = text.replace(/\s+/g, " ").trim();
    return line.length <= PROMPT_CHARS
      ? line
      : line.slice(0, PROMPT_CHARS - 1).toWellFormed() + "…";
  } catch (error) {
    log("receipt", { failed: messageOf(error) });
    return undefined;
  }
}
