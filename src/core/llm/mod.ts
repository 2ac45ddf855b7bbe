import { purposeOf } from "../settings/purposes.ts";
import { MemoError } from "../../errors.ts";
import { checkCap, type Spending, writeSpending } from "./ledger.ts";
import {
  type CallLimits,
  type Completed,
  type Completion,
  llmError,
  type ProviderContext,
  UnusableAnswer,
} from "./provider.ts";
import { chooseProvider, whyUnavailable } from "./providers.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import { countOf, redactAll } from "../redact/redact.ts";

/** The default timeout of an answer. */
const TIMEOUT_MS = 30_000;

/** The settings and environment of an LLM call. */
export interface LlmContext extends ProviderContext {
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly now?: () => Date;
}

/**
 * Asks the language model of the settings: for a purpose that the person has said yes to, within the day's cap, without
 * secrets, recorded in the spending log. Rejects with an `llm` or `timeout` MemoError if there is no answer.
 */
export async function complete(request: Completion, context: LlmContext): Promise<Completed> {
  const { paths, config, now = () => new Date() } = context;
  const provider = chooseProvider(context);
  const unavailable = whyUnavailable(context, purposeOf(request.purpose));
  if (unavailable !== undefined) throw llmError(`Cannot ask a language model: ${unavailable}`);
  const ledger = paths.spending;
  checkCap(ledger, config, now());
  const own = ownPatterns(config["redact.patterns"]);
  const redacted = await redactAll([request.system, request.prompt], own);
  const [system, prompt] = redacted.map(({ text }) => text) as [string, string];

  const started = performance.now();
  const note = (outcome: Spending["outcome"], completed?: Completed) =>
    writeSpending(ledger, {
      at: now().toISOString(),
      purpose: request.purpose,
      session: request.session,
      provider: provider.name,
      model: completed?.model ?? config["llm.model"],
      input: completed?.inputTokens ?? 0,
      output: completed?.outputTokens ?? 0,
      usd: completed?.costUsd,
      ms: Math.round(performance.now() - started),
      outcome,
      redacted: countOf(redacted),
    });
  try {
    const completed = await withinTime(
      context,
      (limits) => provider.complete({ ...request, system, prompt }, { ...context, ...limits }),
    );
    note("ok", completed);
    return completed;
  } catch (error) {
    const late = error instanceof MemoError && error.kind === "timeout";
    if (error instanceof UnusableAnswer) note("unusable", error.spent);
    else note(late ? "timed out" : context.signal?.aborted ? "given up" : "failed");
    throw error;
  }
}

/** Finds out without a paid call whether the provider will answer, and says what it found; rejects if it will not. */
export async function check(context: LlmContext): Promise<string> {
  const provider = chooseProvider(context);
  return await withinTime(
    context,
    (limits) => provider.check?.({ ...context, ...limits }) ?? Promise.resolve("not checked"),
  );
}

/** Runs a call with a timeout, after which it is cancelled and rejects with a `timeout` MemoError. */
async function withinTime<T>(
  { signal, timeoutMs = TIMEOUT_MS }: LlmContext,
  call: (limits: CallLimits) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), timeoutMs);
  try {
    return await call({
      signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
      deadline: performance.now() + timeoutMs,
    });
  } catch (error) {
    if (!over.signal.aborted) throw error;
    throw new MemoError("timeout", `The language model did not answer within ${timeoutMs} ms`, {
      hint: "Run `memo doctor` to check the connection",
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
