import { type Config, typeSettings } from "../settings/config.ts";
import type { TypeFilter } from "../index/corpus.ts";
import { TYPES } from "../memory/types.ts";
import { type StrategyName, strategyNamed } from "../../../strategies/mod.ts";
import { ownStrategy } from "./own_strategy.ts";
import type { Strategy } from "../../../strategies/strategy.ts";

/** Types that share a strategy are ranked by one call of it. */
export interface Assignment {
  readonly strategy: Strategy;
  /** undefined: all types. */
  readonly filter: TypeFilter | undefined;
}

/** Which strategy ranks which types; the strategy of the row `*` ranks all types that no other row names. */
export function assign(config: Config): Assignment[] {
  const byStrategy = new Map<Strategy, string[]>();
  const named = new Set<string>(TYPES.map((row) => row.name).filter((name) => name !== "*"));
  for (const key of Object.keys(config.perType)) named.add(key.slice(key.indexOf(".") + 1));
  const rest = inForce(config, "*");
  for (const type of named) {
    const strategy = inForce(config, type);
    if (type !== "*" && strategy !== rest) {
      byStrategy.set(strategy, [...byStrategy.get(strategy) ?? [], type]);
    }
  }
  const others = [...byStrategy.values()].flat();
  return [
    { strategy: rest, filter: others.length === 0 ? undefined : { types: others, except: true } },
    ...[...byStrategy].map(([strategy, types]) => ({ strategy, filter: { types } })),
  ];
}

/** Whether some type is ranked by a language model. */
export function needsModel(config: Config): boolean {
  return assign(config).some(({ strategy }) => strategy.cost === "api");
}

/** Replaces a strategy in the settings that this version of memo does not know. */
const DEFAULT_STRATEGY: StrategyName = "hybrid";

function inForce(config: Config, type: string): Strategy {
  const name = typeSettings(config, type).strategy;
  return ownStrategy(name, config) ?? strategyNamed(name) ?? strategyNamed(DEFAULT_STRATEGY)!;
}
