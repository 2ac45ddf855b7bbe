import { type Config, typeSettings } from "../config.ts";
import { messageOf } from "../errors.ts";
import type { Index, TypeFilter } from "../index/index.ts";
import type { Query } from "../index/query.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { TYPES } from "../memory/types.ts";
import { strategyNamed } from "../../strategies/mod.ts";
import type { Hit, Strategy } from "../../strategies/strategy.ts";

/** What one strategy found. */
export interface Ranking {
  /** The strategy that ranked: not the one in the settings where that one failed and another stood in. */
  readonly strategy: string;
  readonly hits: readonly Hit[];
  readonly ms: number;
  /** Why another strategy stood in. */
  readonly failures: readonly string[];
}

export interface RetrieveOptions {
  readonly index: Index;
  readonly folders: readonly MemoryFolder[];
  readonly config: Config;
  /** Hits asked of each strategy. */
  readonly limit: number;
  readonly signal?: AbortSignal;
  /** Ranks everything with this strategy, whatever the settings say. */
  readonly only?: string;
}

/** Types that share a strategy are ranked by one call of it. */
export interface Assignment {
  readonly strategy: string;
  /** undefined: all types. */
  readonly filter: TypeFilter | undefined;
}

/** Asks every strategy that is in force for some type, all at once. */
export async function retrieve(query: Query, options: RetrieveOptions): Promise<Ranking[]> {
  const assignments = options.only === undefined
    ? assign(options.config)
    : [{ strategy: options.only, filter: undefined }];
  return await Promise.all(assignments.map((assignment) => rankWith(assignment, query, options)));
}

/** Which strategy ranks which types. The strategy of the row `*` takes all types that no other one names. */
export function assign(config: Config): Assignment[] {
  const byStrategy = new Map<string, string[]>();
  const named = new Set<string>(TYPES.map((row) => row.name).filter((name) => name !== "*"));
  for (const key of Object.keys(config.perType)) named.add(key.slice(key.indexOf(".") + 1));
  const rest = inForce(typeSettings(config, "*").strategy);
  for (const type of named) {
    const strategy = inForce(typeSettings(config, type).strategy);
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

/** The default stands in for a strategy that this memo does not know. */
function inForce(name: string): string {
  return strategyNamed(name)?.name ?? DEFAULT_STRATEGY;
}

const DEFAULT_STRATEGY = "hybrid";

async function rankWith(
  assignment: Assignment,
  query: Query,
  options: RetrieveOptions,
): Promise<Ranking> {
  const start = performance.now();
  const corpus = await options.index.corpus(options.folders, assignment.filter);
  const failures: string[] = [];
  let strategy: Strategy | undefined = strategyNamed(assignment.strategy);
  while (strategy !== undefined) {
    try {
      const hits = await strategy.rank(query, corpus, options);
      return { strategy: strategy.name, hits, ms: performance.now() - start, failures };
    } catch (error) {
      failures.push(`${strategy.name}: ${messageOf(error)}`);
      strategy = strategy.fallback === undefined ? undefined : strategyNamed(strategy.fallback);
    }
  }
  return { strategy: assignment.strategy, hits: [], ms: performance.now() - start, failures };
}
