// Prompt to reply. The rest of memo imports this file alone.

import { createHash } from "node:crypto";
import { MemoError } from "../../errors.ts";
import { sessionVariables } from "../link/session_env.ts";
import { ownPatterns } from "../redact/mod.ts";
import { type PurposeName, purposeOf, whyNotSent } from "../settings/purposes.ts";
import { anthropic } from "./anthropic.ts";
import { claude } from "./claude.ts";
import { checkCap, type Spending, writeSpending } from "./ledger.ts";
import {
  brief,
  type CallLimits,
  type Completed,
  type Completion,
  llmError,
  type Provider,
  type ProviderContext,
  UnusableAnswer,
} from "./provider.ts";

export { childEnv, findClaude } from "./claude.ts";
export {
  callsOf,
  costOf,
  dayOf,
  isUsedUp,
  raiseHint,
  readSpending,
  type Spending,
  spentToday,
  type Sum,
  sumOf,
  writeSpending,
} from "./ledger.ts";
export {
  brief,
  type Completed,
  type Completion,
  list,
  llmError,
  LoginRefused,
  object,
  oneOf,
  only,
  TEXT,
  UnusableAnswer,
  WHOLE,
} from "./provider.ts";

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
  const { countOf, redactAll } = await import("../redact/redact.ts"); // its rules load slowly
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

/** A question whose answer is JSON. */
export type JsonQuestion = Completion & Required<Pick<Completion, "schema">>;

/**
 * Asks the language model of the settings and returns the JSON answer, whose shape the caller checks; rejects if there
 * is none.
 */
export async function askModel(question: JsonQuestion, context: LlmContext): Promise<unknown> {
  const { json, text } = await complete(question, context);
  if (json === undefined) {
    throw new UnusableAnswer(`The language model's answer is not JSON: \`${brief(text, 80)}\``);
  }
  return json;
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
    throw new MemoError(
      "timeout",
      `The language model did not answer within ${timeoutMs / 1000} s`,
      { hint: "Run `memo doctor` to check the connection", cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** No language model: callers go on without one. */
const none: Provider = {
  name: "none",
  available: ({ config }) =>
    config["llm.provider"] === "none"
      ? "`llm.provider` is `none`"
      : "neither an API key nor `claude` is available",
  complete: () => Promise.reject(llmError("Cannot ask a language model")),
};

/** Every LLM provider; with `llm.provider` at `auto`, the first available one is used. */
export const PROVIDERS = [anthropic, claude, none] as const satisfies readonly Provider[];

/** The provider that the settings choose. */
export function chooseProvider(context: ProviderContext): Provider {
  const name = context.config["llm.provider"];
  return PROVIDERS.find((provider) =>
    name === "auto" ? provider.available(context) === undefined : provider.name === name
  ) ?? none;
}

/** Where programs are, which no login depends on. */
const PLACES: ReadonlySet<string> = new Set(["PATH", "SSH_AUTH_SOCK"]);

/**
 * Identifies a login, that is the provider, its server and model, and the keys and settings of a session, by a digest:
 * what fails with a login fails for everything that has the same one.
 */
export function loginOf(context: ProviderContext): string {
  const { config, env } = context;
  const variables = Object.entries(sessionVariables(env)).filter(([name]) => !PLACES.has(name));
  const keys = ["llm.base_url", "llm.key_file", "llm.claude_path", "llm.model"] as const;
  const parts = [chooseProvider(context).name, keys.map((key) => config[key]), variables.sort()];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

/** Why no language model is available, or may be asked for some purpose; undefined if one is. */
export function whyUnavailable(
  context: ProviderContext,
  purpose?: PurposeName,
): string | undefined {
  const { config } = context;
  const refused = purpose === undefined ? config.muted : whyNotSent(purpose, config);
  return refused ?? chooseProvider(context).available(context);
}
