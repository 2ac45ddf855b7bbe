import type { Config } from "../settings/config.ts";
import { MemoError } from "../errors.ts";
import type { Env, Paths } from "../paths.ts";

/** One question to a language model. */
export interface Completion {
  /** What it is for, in the log of spending: `sidequery`, `extract`, … */
  readonly purpose: string;
  /** The session that it is asked for, where its questions are counted. */
  readonly session?: string | undefined;
  readonly system: string;
  readonly prompt: string;
  /** JSON schema of the answer; without one the answer is text. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly maxTokens: number;
}

/** A language model's answer. */
export interface Completed {
  readonly text: string;
  /** The answer as JSON when a schema was given and there is any in it; the caller checks its shape. */
  readonly json?: unknown;
  /** The model that answered. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What it cost in US dollars, where that is known. */
  readonly costUsd?: number | undefined;
}

/** What providers are told about the world. */
export interface ProviderContext {
  readonly paths: Paths;
  /** That of the session which the question belongs to. */
  readonly env: Env;
  /** Where that session works; no program is run from its project. */
  readonly cwd?: string | undefined;
  readonly config: Config;
}

/** How long one call may take. */
export interface CallLimits {
  /** Aborted when time is up or nobody waits any more. */
  readonly signal: AbortSignal;
  /** When time is up, in milliseconds of `performance.now()`: no retry is begun that would end after it. */
  readonly deadline: number;
}

/** A way to reach a language model. */
export interface Provider {
  readonly name: string;
  readonly summary: string;
  /** Why it cannot be used here; undefined: it can. Answers at once, without asking anybody. */
  available(context: ProviderContext): string | undefined;
  /** Asks once. Rejects with an `llm` MemoError when there is no answer. */
  complete(request: Completion, context: ProviderContext & CallLimits): Promise<Completed>;
  /** Asks the server whether the model of the settings exists; rejects when it does not. */
  findModel?(context: ProviderContext & CallLimits): Promise<void>;
}

/** A reply larger than this is no answer to any of memo's questions. */
export const MAX_REPLY_BYTES = 1024 * 1024;

/** The error for a model that cannot be asked or gave no usable answer. */
export function llmError(message: string, hint?: string, cause?: unknown): MemoError {
  return new MemoError("llm", message, {
    hint: hint ?? "Run `memo doctor` to see what is wrong",
    cause,
  });
}

/** The model answered, and its answer is of no use. */
export class UnusableAnswer extends MemoError {
  /** What was paid for it. */
  readonly spent: Completed | undefined;

  constructor(message: string, spent?: Completed) {
    super("llm", message, { hint: "Run `memo doctor` to see what is wrong" });
    this.spent = spent;
  }
}

/** The error for a reply that is too large. */
export function tooLarge(): MemoError {
  return new UnusableAnswer(`The language model's reply is larger than ${MAX_REPLY_BYTES} bytes`);
}

/** Text from outside for a message of one line. */
export function brief(text: string, limit = 200): string {
  const line = text.replace(/\s+/g, " ").trim();
  return (line.length > limit ? line.slice(0, limit) + "…" : line).toWellFormed();
}
