import { hybrid } from "./hybrid.ts";
import { keyword } from "./keyword.ts";
import type { Strategy } from "./strategy.ts";

/** Every strategy memo knows, in display order. */
export const STRATEGIES = [hybrid, keyword] as const satisfies readonly Strategy[];

/** The strategy of this name, or undefined. */
export function strategyNamed(name: string): Strategy | undefined {
  return STRATEGIES.find((strategy) => strategy.name === name);
}
