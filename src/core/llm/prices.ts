/** Tokens of one call. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/**
 * US dollars per million tokens, by the prefix of a model's name; the first match counts. These are the list prices
 * that Claude Code 2.1.329 uses (2026-11-21).
 */
const PRICES: readonly (Tokens & { readonly family: string })[] = [
  { family: "claude-haiku-5", input: 0.5, output: 2.5 },
  { family: "claude-haiku-4", input: 1, output: 5 },
  { family: "claude-sonnet-5", input: 2, output: 10 },
  { family: "claude-sonnet-4", input: 3, output: 15 },
  { family: "claude-opus-5-5", input: 4, output: 20 },
  { family: "claude-opus-5", input: 5, output: 25 },
  { family: "claude-opus-4-1", input: 15, output: 75 },
  { family: "claude-opus-4-2", input: 15, output: 75 }, // `claude-opus-4-20250514`
  { family: "claude-opus-4", input: 5, output: 25 },
  { family: "claude-fable-5-2", input: 8, output: 40 },
  { family: "claude-mythos-5-2", input: 8, output: 40 },
  { family: "claude-fable", input: 10, output: 50 },
  { family: "claude-mythos", input: 10, output: 50 },
];

/** The cost of a call in US dollars; undefined if the model's price is unknown. */
export function costOf(model: string, tokens: Tokens): number | undefined {
  const price = PRICES.find(({ family }) => model.startsWith(family));
  if (price === undefined) return undefined;
  return (tokens.input * price.input + tokens.output * price.output) / 1e6;
}
