import type { HookOutput } from "../../hooks/wire.ts";
import { recall } from "../recall/recall.ts";
import { type Outcome, type Receipt, writeReceipt } from "../recall/receipts.ts";
import { FRESH_SESSION, loadSession, saveSession } from "../recall/session.ts";
import { atMost, type EventContext, type HookEvent, SILENT, textOf } from "./event.ts";

/** How long a prompt waits for a sync that a hook before it has begun. */
const WAIT_MS = 150;

/** A prompt: what memo remembers of its matter is put before the model. */
export async function userPromptSubmit(
  event: HookEvent,
  context: EventContext,
): Promise<HookOutput> {
  return await answerPrompt(event, context, {});
}

/** Answers a prompt; `only` and `outcome` are for the hook that found no daemon and ranks by words alone. */
export async function answerPrompt(
  { session, promptId, cwd, fields }: HookEvent,
  context: EventContext,
  { only, outcome }: { only?: string; outcome?: Outcome },
): Promise<HookOutput> {
  const started = performance.now();
  await atMost(WAIT_MS, context.synced());
  const waited = performance.now() - started;
  const result = await context.withIndex((index) =>
    recall({
      prompt: textOf(fields["prompt"]) ?? "",
      source: textOf(fields["source"]),
      folders: context.folders,
      session: session === undefined ? FRESH_SESSION : loadSession(context.paths.sessions, session),
    }, { index, config: context.config, now: context.now(), embed: context.embed, only })
  );
  if (session !== undefined && result.block !== undefined) {
    saveSession(context.paths.sessions, session, result.session);
  }
  const receipt: Receipt = {
    at: context.now().toISOString(),
    session,
    prompt_id: promptId,
    cwd,
    outcome: result.outcome === "gated" ? "gated" : outcome ?? result.outcome,
    why: result.why,
    memories: result.entries.map(({ candidate }) => ({
      path: candidate.memory.path,
      score: Math.round(candidate.score * 1000) / 1000,
      strategy: candidate.strategy,
    })),
    chars: result.block?.length ?? 0,
    ms: { wait: Math.round(waited * 100) / 100, ...result.timings },
  };
  writeReceipt(context.paths.receipts, receipt);
  if (result.block === undefined) return SILENT;
  return {
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: result.block },
  };
}
