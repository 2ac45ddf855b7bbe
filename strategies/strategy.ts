import type { Corpus } from "../src/core/index/corpus.ts";
import type { Query } from "../src/core/index/query.ts";
import type { CallPurpose } from "../src/core/settings/purposes.ts";

/** One ranked memory. */
export interface Hit {
  /** Id of the memory in the index. */
  readonly memory: number;
  /** The probability that the prompt needs it, 0–1, or what is on that scale: a threshold means the same for each strategy. */
  readonly score: number;
  /** Where the passage that earned the score lies in the body, in UTF-16 units; undefined: no one passage did. */
  readonly passage?: { readonly start: number; readonly end: number } | undefined;
  /** What was measured. */
  readonly parts?: Readonly<Record<string, number>> | undefined;
  /** Where the score is a probability: what each feature adds to the logarithm of its odds. */
  readonly sum?: Readonly<Record<string, number>> | undefined;
}

export interface RankOptions {
  /** At most this many hits come back. */
  readonly limit: number;
  /** The time that ages are counted to. */
  readonly now: Date;
  /** Paths of memories that need not be ranked: the session has seen them. Cheap strategies may rank them all the same. */
  readonly exclude?: ReadonlySet<string> | undefined;
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  /** The conversation before the prompt, oldest first, for strategies that ask a language model. */
  readonly turns?: readonly string[] | undefined;
  /** Asks a language model; undefined where none may be asked. */
  readonly ask?: Ask | undefined;
}

/** Asks a language model and returns its JSON answer; rejects if the answer is unusable. */
export type Ask = (question: Question, signal: AbortSignal | undefined) => Promise<unknown>;

export interface Question {
  /** What it is made for, which decides whether it may be sent. */
  readonly purpose: CallPurpose;
  readonly system: string;
  readonly prompt: string;
  /** JSON schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly maxTokens: number;
}

/** A way to rank memories for a query. It ranks; it does not gate, budget or format. */
export interface Strategy {
  readonly name: string;
  readonly summary: string;
  /** `api`: it asks a language model, and costs money. */
  readonly cost: "local" | "api";
  /** `preview` until its row in the bench earns `stable`. */
  readonly status: "stable" | "preview";
  /** How long one call may take on an ordinary machine, warm, in milliseconds. */
  readonly needsMs: number;
  /** The strategy that answers when this one cannot. */
  readonly fallback?: string | undefined;
  /** Memories of the corpus for the query, best first, none twice. Throws when it cannot rank at all. */
  rank(query: Query, corpus: Corpus, options: RankOptions): Promise<readonly Hit[]>;
}
