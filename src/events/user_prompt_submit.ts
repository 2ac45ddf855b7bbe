import type { HookOutput } from "../../hooks/wire.ts";
import { recall } from "../recall/recall.ts";
import type { Outcome } from "../recall/receipts.ts";
import { FRESH_SESSION, loadSession, saveSession } from "../recall/session.ts";
import { recentTurns } from "../transcript/recent.ts";
import { within } from "../link/within.ts";
import { additionalContext, type EventContext, type HookEvent } from "./event.ts";
import { leaveRecallReceipt } from "./receipt.ts";

/** How long a prompt waits for the index to be brought in step with the files. */
const WAIT_MS = 150;

/** Turns before the prompt that a language model is told. */
const TURNS = 3;

/** A prompt: what memo remembers of its matter is put before the model. */
export async function userPromptSubmit(
  event: HookEvent<"UserPromptSubmit">,
  context: EventContext,
): Promise<HookOutput> {
  return await answerPrompt(event, context, {});
}

/** Answers a prompt; `only` and `outcome` are for the hook that found no daemon and ranks by words alone. */
export async function answerPrompt(
  event: HookEvent<"UserPromptSubmit">,
  context: EventContext,
  { only, outcome }: { only?: string; outcome?: Outcome },
): Promise<HookOutput> {
  const { session, prompt, source, transcript } = event;
  const { paths, folders, config, embed, ask, prefetches } = context;
  const started = performance.now();
  await within(WAIT_MS, context.freshen(folders).catch(() => {})); // an index that fails is met again below
  const waited = performance.now() - started;

  const late = session === undefined ? undefined : prefetches.take(session);
  const abort = new AbortController();
  const result = await context.withIndex((index) =>
    recall({
      prompt,
      source,
      folders,
      session: session === undefined ? FRESH_SESSION : loadSession(paths.sessions, session),
      late: late?.rankings ?? [],
      turns: async () => transcript === undefined ? [] : await recentTurns(transcript, TURNS),
    }, { index, config, now: context.now(), embed, ask, signal: abort.signal, only })
  );

  if (session !== undefined && result.block !== undefined) {
    saveSession(paths.sessions, session, result.session);
  }
  if (session === undefined) abort.abort(); // there is nobody to deliver it to
  else if (result.pending.length > 0) {
    prefetches.start(session, { rankings: result.pending, terms: result.terms, abort });
  } else if (result.outcome !== "gated") {
    prefetches.cancel(session); // what has not settled by now is about another prompt
  }
  leaveRecallReceipt(event, context, {
    ...result,
    outcome: result.outcome === "gated" ? "gated" : outcome ?? result.outcome,
    timings: { wait: Math.round(waited * 100) / 100, ...result.timings },
  });
  return additionalContext("UserPromptSubmit", result.block);
}
