import { costOf } from "../src/core/llm/mod.ts";
import type { Question } from "../strategies/strategy.ts";

/** The cost of all LLM calls of a suite. */
export interface Estimate {
  readonly questions: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; undefined for a model whose price is not known. */
  readonly usd: number | undefined;
}

/** Characters of a token: fewer than in English prose, since names of files and code are cut finer. */
const CHARS_PER_TOKEN = 3.5;
/** Tokens of a list of up to five file names, in JSON. */
export const ANSWER_TOKENS = 80;

/** Reckons from the questions themselves, before any of them is asked. */
export function estimate(questions: readonly Question[], model: string): Estimate {
  const chars = questions.reduce(
    (sum, { system, prompt, schema }) =>
      sum + system.length + prompt.length + JSON.stringify(schema).length,
    0,
  );
  const inputTokens = tokensIn(chars);
  const outputTokens = questions.length * ANSWER_TOKENS;
  return {
    questions: questions.length,
    inputTokens,
    outputTokens,
    usd: costOf(model, { input: inputTokens, output: outputTokens }),
  };
}

/** About how many tokens a text has. */
export function tokensOf(text: string): number {
  return tokensIn(text.length);
}

function tokensIn(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** An estimate in one line. */
export function formatEstimate({ questions, inputTokens, usd }: Estimate, model: string): string {
  const tokens = inputTokens < 1e6
    ? `${Math.ceil(inputTokens / 1000)},000`
    : `${(inputTokens / 1e6).toFixed(1)} million`;
  const price = usd === undefined ? "price unknown" : `about $${cents(usd)}`;
  return `${questions} questions to ${model}, about ${tokens} tokens, ${price}`;
}

function cents(usd: number): string {
  return Math.max(0.01, usd).toFixed(2);
}
