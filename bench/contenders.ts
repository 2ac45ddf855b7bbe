import type { Config } from "../src/core/settings/config.ts";
import { ownFile } from "../src/core/settings/config_file.ts";
import { MemoError } from "../src/errors.ts";
import { assign } from "../src/core/recall/retrieve.ts";
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
  const chosen: readonly Chosen[] = names?.map((name) => known(name, config)) ??
    STRATEGIES.map((strategy) => ({ ...strategy, value: strategy.name }));
  const alone = chosen.map(({ name, value, cost }) => ({
    name,
    only: value,
    asks: cost === "api" ? "always" as const : "never" as const,
  }));
  const inForce = assign(config);
  if (names !== undefined || inForce.length < 2) return alone;
  const asks = inForce.some(({ strategy }) => strategy.cost === "api") ? "sometimes" : "never";
  return [...alone, { name: AS_SET, only: undefined, asks }];
}

/** Each type by its own strategy, as in a real prompt. */
export const AS_SET = "as-set";

/** A strategy, and the value of a setting that names it. */
type Chosen = Pick<Strategy, "name" | "cost"> & { readonly value: string };

function known(name: string, config: Config): Chosen {
  const strategy = strategyNamed(name);
  if (strategy !== undefined) return { ...strategy, value: name };
  if (ownFile(name) !== undefined) {
    return { name, cost: "local", value: allowedValue(name, config) };
  }
  throw new MemoError("usage", `Unknown strategy \`${name}\``, {
    hint: `Run \`memo config strategies\` to see all: ${
      STRATEGIES.map((row) => row.name).join(", ")
    }`,
  });
}

/** The value of a setting that allows a strategy's file; the bench runs no other content. */
function allowedValue(name: string, config: Config): string {
  const value = Object.values(config.perType).map(String)
    .find((value) => ownFile(value)?.name === name);
  if (value !== undefined) return value;
  throw new MemoError("usage", `Cannot measure \`${name}\`: you have not allowed it to run`, {
    hint: `Read it, and run \`memo config set strategy.TYPE=${name}\``,
  });
}
