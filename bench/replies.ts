// Replies for strategies that ask a language model: from a real model, once the price is known.

import type { Completed } from "../src/core/llm/mod.ts";
import type { Ask, Question } from "../strategies/strategy.ts";

/** The cost of some calls. */
export interface Toll {
  /** Questions put to a language model. */
  readonly calls: number;
  /** US dollars, as far as the price is known. */
  readonly usd: number;
  /** Tokens that the model read and wrote. */
  readonly tokens: number;
}

/** Answers questions and keeps account. */
export interface Respondent {
  readonly ask: Ask;
  /** The cost of the calls since the last `settle`. */
  settle(): Toll;
}

/** Puts a question to a language model. */
export type Complete = (question: Question, signal: AbortSignal | undefined) => Promise<Completed>;

/** No cost. */
export const FREE: Toll = { calls: 0, usd: 0, tokens: 0 };

/** Asks a real model. */
export function asking(complete: Complete): Respondent {
  let toll = FREE;
  return {
    settle() {
      const settled = toll;
      toll = FREE;
      return settled;
    },
    async ask(question, signal) {
      const { json, inputTokens, outputTokens, costUsd } = await complete(question, signal);
      toll = {
        calls: toll.calls + 1,
        usd: toll.usd + (costUsd ?? 0),
        tokens: toll.tokens + inputTokens + outputTokens,
      };
      if (json === undefined) throw new Error("The language model's answer is not JSON");
      return json;
    },
  };
}
