import type { Config } from "../settings/config.ts";
import { MemoError } from "../../errors.ts";
import { formatLimit } from "../files/bounded.ts";
import type { Env, Paths } from "../../paths.ts";
import type { CallPurpose } from "../settings/purposes.ts";

/** One question to a language model. */
export interface Completion {
  /** What it is made for, which decides whether it may be sent. */
  readonly purpose: CallPurpose;
  /** The session that the call is counted for. */
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
  /** The answer as JSON, if a schema was given and the answer has any; the caller checks its shape. */
  readonly json?: unknown;
  /** The model that answered. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost in US dollars, if known. */
  readonly costUsd?: number | undefined;
}

/** The settings and environment of a provider. */
export interface ProviderContext {
  readonly paths: Paths;
  /** The environment of the question's session. */
  readonly env: Env;
  /** The session's working directory; no program is run from its project. */
  readonly cwd?: string | undefined;
  readonly config: Config;
}

/** The time limits of one call. */
export interface CallLimits {
  /** Aborted when time is up or the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** When time is up, in milliseconds of `performance.now()`: no retry is started that would end later. */
  readonly deadline: number;
}

/** A way to reach a language model. */
export interface Provider {
  readonly name: string;
  /** Why it cannot be used here; undefined if it can. Answers immediately, without network access. */
  available(context: ProviderContext): string | undefined;
  /** Makes one call. Rejects with an `llm` MemoError if there is no answer. */
  complete(request: Completion, context: ProviderContext & CallLimits): Promise<Completed>;
  /** Finds out without a paid call whether it will answer, and says what it found. Rejects if it will not. */
  check?(context: ProviderContext & CallLimits): Promise<string>;
  /** Whether `check` asks nobody but a program of this machine. */
  readonly checksLocally?: true;
}

/** The maximum size of a reply; no valid answer is larger. */
export const MAX_REPLY_BYTES = 1024 * 1024;

/** The error for a model that cannot be reached or gave no usable answer. */
export function llmError(message: string, hint?: string, cause?: unknown): MemoError {
  return new MemoError("llm", message, {
    hint: hint ?? "Run `memo doctor` to see what is wrong",
    cause,
  });
}

/** The model's server refuses the login, and will again. */
export class LoginRefused extends MemoError {}

/** The model answered, but the answer is unusable. */
export class UnusableAnswer extends MemoError {
  /** The cost of the answer. */
  readonly spent: Completed | undefined;

  constructor(
    message: string,
    spent?: Completed,
    hint = "Try again, or set another model with `memo config set llm.model NAME`",
  ) {
    super("llm", message, { hint });
    this.spent = spent;
  }
}

/** The error for a reply that is too large. */
export function tooLarge(): MemoError {
  const limit = formatLimit(MAX_REPLY_BYTES);
  return new UnusableAnswer(`The language model's reply is larger than ${limit}`);
}

/** Text from outside, shortened for a one-line message. */
export function brief(text: string, limit = 200): string {
  const line = text.replace(/\s+/g, " ").trim();
  return (line.length > limit ? line.slice(0, limit) + "…" : line).toWellFormed();
}

/** A part of the JSON schema of an answer; what follows writes it short. */
type Schema = Readonly<Record<string, unknown>>;

export const TEXT = { type: "string" } as const;
export const WHOLE = { type: "integer" } as const;

/** An object with these properties, which has all of them but the optional ones. */
export function object(properties: Readonly<Record<string, Schema>>, ...optional: string[]) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

/** The same with nothing else in it. */
export function only(properties: Readonly<Record<string, Schema>>) {
  return { ...object(properties), additionalProperties: false };
}

/** A list of at most so many items. */
export function list(items: Schema, maxItems?: number) {
  return { type: "array", ...maxItems !== undefined && { maxItems }, items };
}

/** One of some words. */
export function oneOf(words: readonly string[]) {
  return { ...TEXT, enum: words };
}
