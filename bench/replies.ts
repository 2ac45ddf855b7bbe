// What strategies that ask a language model get to hear in the bench: a real model, once it is clear what that costs.

import type { Completed } from "../src/llm/provider.ts";
import type { Ask, Question } from "../strategies/strategy.ts";

/** The cost of some calls. */
export interface Toll {
  /** Questions put to a language model, now or when they were recorded. */
  readonly calls: number;
  /** US dollars, as far as the price is known. */
  readonly usd: number;
  /** Milliseconds of recorded waiting, which a replay skips. */
  readonly recordedMs: number;
  /** How many of the questions were answered by a recording. */
  readonly recorded: number;
  /** Tokens that the model read and wrote. */
  readonly tokens: number;
}

/** Answers questions and keeps account. */
export interface Respondent {
  readonly ask: Ask;
  /** Whether the answer to a question is at hand, so that asking it costs nothing. */
  knows(question: Question): boolean;
  /** The cost of the calls since the last `settle`. */
  settle(): Toll;
}

/** Puts a question to a language model. */
export type Complete = (question: Question, signal: AbortSignal | undefined) => Promise<Completed>;

/** Asks a real model. */
export function asking(complete: Complete): Respondent {
  const account = new Account();
  return {
    knows: () => false,
    settle: () => account.settle(),
    async ask(question, signal) {
      const { json, inputTokens, outputTokens, costUsd } = await complete(question, signal);
      const tokens = inputTokens + outputTokens;
      account.add({ calls: 1, usd: costUsd ?? 0, recordedMs: 0, recorded: 0, tokens });
      if (json === undefined) throw new Error("The language model's answer is no JSON");
      return json;
    },
  };
}

/** Sums up costs. */
export class Account {
  #toll = NOTHING;

  add(toll: Toll): void {
    this.#toll = sum(this.#toll, toll);
  }

  settle(): Toll {
    const toll = this.#toll;
    this.#toll = NOTHING;
    return toll;
  }
}

const NOTHING: Toll = { calls: 0, usd: 0, recordedMs: 0, recorded: 0, tokens: 0 };

/** The cost of two sets of calls. */
export function sum(a: Toll, b: Toll): Toll {
  return {
    calls: a.calls + b.calls,
    usd: a.usd + b.usd,
    recordedMs: a.recordedMs + b.recordedMs,
    recorded: a.recorded + b.recorded,
    tokens: a.tokens + b.tokens,
  };
}
