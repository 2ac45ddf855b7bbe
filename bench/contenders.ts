import type { Config } from "../src/settings/config.ts";
import { MemoError } from "../src/errors.ts";
import { assign } from "../src/recall/assign.ts";
import { STRATEGIES, strategyNamed } from "../strategies/mod.ts";
import type { Strategy } from "../strategies/strategy.ts";

/** A contender: one strategy for all types, or the settings as they are. */
export interface Contender {
  readonly name: string;
  /** undefined: each type by the strategy of its row. */
  readonly only: string | undefined;
  /** Whether it asks a language model; `sometimes` it can do without. */
  readonly asks: "always" | "sometimes" | "never";
}

/** The contenders: the named strategies, or all of them and the settings if those mix several. */
export function contendersFor(names: readonly string[] | undefined, config: Config): Contender[] {
  const chosen: readonly Strategy[] = names?.map(known) ?? STRATEGIES;
  const alone = chosen.map(({ name, cost }) => ({
    name,
    only: name,
    asks: cost === "api" ? "always" as const : "never" as const,
  }));
  const inForce = assign(config);
  if (names !== undefined || inForce.length < 2) return alone;
  const asks = inForce.some(({ strategy }) => strategy.cost === "api") ? "sometimes" : "never";
  return [...alone, { name: AS_SET, only: undefined, asks }];
}

/** Each type by its own strategy, as in a real prompt. */
export const AS_SET = "as-set";

function known(name: string): Strategy {
  const strategy = strategyNamed(name);
  if (strategy !== undefined) return strategy;
  throw new MemoError("usage", `Unknown strategy \`${name}\``, {
    hint: `Run \`memo config strategies\` to see all: ${
      STRATEGIES.map((row) => row.name).join(", ")
    }`,
  });
}
