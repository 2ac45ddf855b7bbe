import { hybrid } from "./hybrid.ts";
import { keyword } from "./keyword.ts";
import { recency } from "./recency.ts";
import { sidequery } from "./sidequery.ts";
import { verify } from "./verify.ts";
import type { Strategy } from "./strategy.ts";

/** Every strategy memo knows, in display order. */
export const STRATEGIES = [
  hybrid,
  verify,
  sidequery,
  keyword,
  recency,
] as const satisfies readonly Strategy[];

/** The name of a strategy. */
export type StrategyName = typeof STRATEGIES[number]["name"];

/** The strategy of this name, or undefined. */
export function strategyNamed(name: string): Strategy | undefined {
  return STRATEGIES.find((strategy) => strategy.name === name);
}
