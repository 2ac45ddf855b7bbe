import { messageOf } from "../../errors.ts";
import type { Recall } from "../recall/recall.ts";
import { type Receipt, type ReceiptMemory, writeReceipt } from "../recall/receipts.ts";
import { noteUses } from "../ledger/usage.ts";
import { type Config, typeSettings } from "../settings/config.ts";
import { ownPatterns } from "../redact/mod.ts";
import { blockName } from "../text/block.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** Maximum omitted memories to name. */
const MISSES = 3;
/** Maximum length of a prompt to keep, and of the part that is checked for secrets, in UTF-16 units. */
const PROMPT_CHARS = 80;
const REDACTED_CHARS = 400;

/** The data of a receipt. */
type Given =
  & Pick<Recall, "outcome" | "why" | "block" | "timings" | "before">
  & Pick<Receipt, "file" | "titles" | "listed">
  & {
    readonly memories: readonly ReceiptMemory[];
    readonly dropped?: Recall["dropped"];
  };

/** The result for an event that received no memory. */
export const NOTHING_GIVEN = { block: undefined, memories: [], timings: {} } as const;

/** Writes the receipt of an event to the state folder. */
export function leaveRecallReceipt(
  event: HookEvent,
  context: EventContext,
  { entries, ...result }: Pick<
    Recall,
    "outcome" | "why" | "entries" | "block" | "timings" | "dropped" | "before"
  >,
): void {
  const { config } = context;
  leaveReceipt(event, context, {
    ...result,
    memories: entries.map(({ fused, form }) => ({
      ...named(fused, config),
      ...(form === "line" || form === "title" ? { form } : {}),
    })),
  });
}

/**
 * Writes the receipt of an event once the answer is out: if the hook timed out, the answer did not reach the model,
 * and the receipt says so.
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
    file: result.file,
    memories: result.memories,
    titles: result.titles,
    listed: result.listed,
    chars: result.block?.length ?? 0,
    ms: result.timings,
  };
  const block = result.block === undefined ? {} : { block: blockName(result.block) };
  const misses = nearest(result.dropped ?? [], context.config);
  context.defer(async (isTaken) => {
    if (isTaken && result.block !== undefined) noteShown(receipt, context);
    const [prompt, before] = [
      event.name === "UserPromptSubmit" ? await firstWords(event.prompt, context) : undefined,
      result.before === undefined ? undefined : await firstWords(result.before, context),
    ];
    writeReceipt(context.paths.receipts, {
      ...receipt,
      ...(prompt === undefined ? {} : { prompt }),
      ...(before === undefined ? {} : { before }),
      ...(isTaken ? block : { outcome: "late" }),
      ...(misses.length === 0 ? {} : { misses }),
    });
  });
}

/** Counts the memories that a block has shown. */
function noteShown({ memories, at }: Receipt, { paths, log }: EventContext): void {
  try {
    noteUses(paths.usage, memories.map(({ path }) => ({ path, at, shown: 1 })));
  } catch (error) {
    log("usage", { failed: messageOf(error) });
  }
}

function named(
  { memory, score, strategy }: Pick<Recall["dropped"][number], "memory" | "score" | "strategy">,
  config: Config,
): ReceiptMemory {
  return {
    path: memory.path,
    score: Math.round(score * 1000) / 1000,
    threshold: typeSettings(config, memory.type).threshold,
    strategy,
  };
}

function nearest(dropped: Recall["dropped"], config: Config): Receipt["misses"] & object {
  return dropped.toSorted((a, b) => b.score - a.score).slice(0, MISSES)
    .map((each) => ({ ...named(each, config), because: each.because }));
}

/** The beginning of a prompt, without its secrets. */
async function firstWords(
  prompt: string,
  { config, log, redact }: EventContext,
): Promise<string | undefined> {
  try {
    // A secret that the cut would split is found whole.
    const text = await redact(
      prompt.slice(0, REDACTED_CHARS),
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
