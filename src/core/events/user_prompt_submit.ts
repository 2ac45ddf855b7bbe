import type { HookOutput } from "../../../hooks/wire.ts";
import { folderAt } from "../recall/at_work.ts";
import { compose, hasText, type Recall, recall } from "../recall/recall.ts";
import type { RecallOutcome } from "../recall/receipts.ts";
import { lastTurns, recentTurns } from "../transcript/recent.ts";
import { joinBlocks } from "../text/block.ts";
import { within } from "../link/within.ts";
import { noteTurn } from "./capture.ts";
import {
  type Conversation,
  conversationOf,
  deliveredWith,
  keepSession,
  leaveRecallReceipt,
} from "./conversation.ts";
import {
  additionalContext,
  type EventContext,
  type EventHandler,
  type HookEvent,
  SILENT,
} from "./event.ts";
import { lateStart } from "./session_start.ts";
import { seen } from "./seen.ts";

/** Maximum wait for the index to match the files. */
const WAIT_MS = 150;

/** The same again for an index without any memory: it is probably being made. */
const FIRST_WAIT_MS = 350;

/** Maximum turns before the prompt that are sent to a language model. */
const TURNS = 3;

/**
 * Answers a prompt with the matching memories; `only` and `outcome` are for the hook that found no daemon and ranks by
 * keyword alone.
 */
export async function answerPrompt(
  event: HookEvent<"UserPromptSubmit">,
  context: EventContext,
  { only, outcome }: { only?: string; outcome?: RecallOutcome } = {},
): Promise<HookOutput> {
  const { session, prompt, source, transcript } = event;
  const { folders, config, embed, ask, paths, prefetches, hasTools } = context;
  const started = performance.now();
  noteTurn(event, context);
  const freshening = context.freshen(folders).then(() => true, () => true); // a failing index is handled below
  const freshened = within(WAIT_MS, freshening);
  const asFound = await conversationOf(event, context);
  if (!await freshened && await isEmpty(context)) await within(FIRST_WAIT_MS, freshening);
  const waited = performance.now() - started;
  const { block: start, conversation = asFound } = await lateStart(event, context, asFound) ?? {};

  const late = session === undefined ? undefined : prefetches.take(session);
  const abort = new AbortController();
  const result = await context.withIndex((index) =>
    recall({
      prompt,
      source,
      folders,
      folder: () => folderAt(context.place),
      shown: conversation.shown,
      late: late?.rankings ?? [],
      turns: async () =>
        transcript === undefined ? [] : await recentTurns(transcript, TURNS, paths),
      before: async () =>
        transcript === undefined ? undefined : (await lastTurns(transcript, 1, paths))[0],
    }, { index, config, now: context.now(), embed, ask, signal: abort.signal, only, hasTools })
  );

  note(event, context, { conversation, result });
  if (session === undefined) abort.abort(); // without a session it cannot be delivered
  else if (result.pending.length > 0) {
    const { pending: rankings, terms } = result;
    prefetches.start(session, { rankings, terms, promptId: event.promptId, abort });
  } else if (result.outcome !== "gated") {
    prefetches.cancel(session); // an unsettled prefetch is about an earlier prompt
  }
  leaveRecallReceipt(event, context, {
    ...result,
    outcome: result.outcome === "gated" ? "gated" : outcome ?? result.outcome,
    timings: { wait: Math.round(waited * 100) / 100, ...result.timings },
  });
  const recalled = result.entries.filter(({ form }) => form !== "title")
    .map(({ fused }) => fused.memory.name);
  return {
    ...additionalContext("UserPromptSubmit", joinBlocks([start, result.block])),
    ...seen(event, context, recalled),
  };
}

async function isEmpty({ folders, withIndex }: EventContext): Promise<boolean> {
  return await withIndex(async (index) => await (await index.corpus(folders)).size()) === 0;
}

/** Records the block of a session, once the hook has taken it. */
export function note(
  event: HookEvent,
  context: EventContext,
  { conversation: { state, shown }, result }: {
    readonly conversation: Conversation;
    readonly result: Pick<Recall, "block" | "entries">;
  },
): void {
  const { block, entries } = result;
  if (block === undefined && shown.delivered.length === state.delivered.length) return;
  const { told = [], named = [] } = Object.groupBy(
    entries,
    (entry) => hasText(entry) ? "told" : "named",
  );
  const memoriesOf = (some: Recall["entries"]) => some.map(({ fused }) => fused.memory);
  const delivered = [...shown.delivered];
  if (block !== undefined) {
    const given = { block, memories: memoriesOf(told), listed: memoriesOf(named) };
    delivered.push(deliveredWith(event, given, context.now()));
  }
  // If not, the hook timed out, answered by itself, and recorded that answer.
  context.defer((isTaken) => isTaken && keepSession(event, { ...state, delivered }, context));
}

/** Tools have run: delivers, once, what a language model has picked for the prompt meanwhile. */
export const deliverLate: EventHandler<"PostToolBatch"> = async (event, context) => {
  const { session } = event;
  const { folders, config, hasTools } = context;
  // Tools of a subagent run under the session's id, and the text would go to the subagent.
  if (session === undefined || event.isSubagent) return SILENT;
  const settled = context.prefetches.take(session);
  if (settled === undefined) return SILENT;
  const isLate = settled.promptId !== event.promptId;
  const rankings = settled.rankings.map((ranking) => ({ ...ranking, isLate }));
  const conversation = await conversationOf(event, context);
  const given = { folders, shown: conversation.shown, terms: settled.terms };
  const result = await context.withIndex(async (index) => {
    const corpus = await index.corpus(folders);
    return await compose(rankings, given, { corpus, config, hasTools, now: context.now() });
  });
  note(event, context, { conversation, result });
  leaveRecallReceipt(event, context, result);
  const recalled = result.entries.map(({ fused }) => fused.memory.name);
  return { ...additionalContext("PostToolBatch", result.block), ...seen(event, context, recalled) };
};
