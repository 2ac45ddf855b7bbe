import { type Config, typeSettings } from "../config.ts";
import { messageOf } from "../errors.ts";
import { isDamage } from "../index/database.ts";
import type { Index, TypeFilter } from "../index/index.ts";
import type { Query } from "../index/query.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { TYPES } from "../memory/types.ts";
import { type StrategyName, strategyNamed } from "../../strategies/mod.ts";
import type { Ask, Hit, RankOptions, Strategy } from "../../strategies/strategy.ts";

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
  readonly now: Date;
  /** Hits asked of each strategy. */
  readonly limit: number;
  /** Paths that the session has seen. */
  readonly exclude?: ReadonlySet<string>;
  /** Ranks everything with this strategy, whatever the settings say. */
  readonly only?: string | undefined;
  readonly ask?: Ask | undefined;
  /** Stops what is asked of a language model. */
  readonly signal?: AbortSignal | undefined;
}

/** What has been set going. */
export interface Retrieval {
  /** Answers in this prompt. */
  readonly local: Promise<readonly Ranking[]>;
  /** Asks a language model; it may settle long after the prompt has gone on. None of these rejects. */
  readonly remote: readonly Promise<Ranking>[];
}

/** Types that share a strategy are ranked by one call of it. */
export interface Assignment {
  readonly strategy: Strategy;
  /** undefined: all types. */
  readonly filter: TypeFilter | undefined;
}

/** Asks every strategy that is in force for some type, all at once. */
export function retrieve(query: Query, options: RetrieveOptions): Retrieval {
  const only = options.only === undefined ? undefined : strategyNamed(options.only);
  const assignments = only === undefined
    ? assign(options.config)
    : [{ strategy: only, filter: undefined }];
  const started = assignments.map((assignment) => ({
    isLocal: assignment.strategy.cost === "local",
    ranking: rankWith(assignment, query, options),
  }));
  return {
    local: Promise.all(started.filter((each) => each.isLocal).map((each) => each.ranking)),
    remote: started.filter((each) => !each.isLocal).map((each) => each.ranking.catch(unusable)),
  };
}

/** The rankings of every strategy, however long they take. */
export async function rankAll(query: Query, options: RetrieveOptions): Promise<Ranking[]> {
  const { local, remote } = retrieve(query, options);
  return [...await local, ...await Promise.all(remote)];
}

/** A prefetch that fails has nobody left to tell but the receipt. */
function unusable(error: unknown): Ranking {
  return { strategy: "sidequery", hits: [], ms: 0, failures: [messageOf(error)] };
}

/** Which strategy ranks which types. The strategy of the row `*` takes all types that no other one names. */
export function assign(config: Config): Assignment[] {
  const byStrategy = new Map<Strategy, string[]>();
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

/** Stands in for a strategy in the settings that this memo does not know. */
const DEFAULT_STRATEGY: StrategyName = "hybrid";

function inForce(name: string): Strategy {
  return strategyNamed(name) ?? strategyNamed(DEFAULT_STRATEGY)!;
}

async function rankWith(
  assignment: Assignment,
  query: Query,
  options: RetrieveOptions,
): Promise<Ranking> {
  const start = performance.now();
  const { now, limit, exclude, ask, signal } = options;
  const rankOptions: RankOptions = { now, limit, exclude, ask, signal };
  const failures: string[] = [];
  let strategy: Strategy | undefined = assignment.strategy;
  while (strategy !== undefined) {
    try {
      const corpus = await options.index.corpus(options.folders, assignment.filter);
      const hits = await corpus.size() === 0 ? [] : await strategy.rank(query, corpus, rankOptions);
      return { strategy: strategy.name, hits, ms: performance.now() - start, failures };
    } catch (error) {
      if (isDamage(error)) throw error;
      failures.push(`${strategy.name}: ${messageOf(error)}`);
      strategy = strategy.fallback === undefined ? undefined : strategyNamed(strategy.fallback);
    }
  }
  return { strategy: assignment.strategy.name, hits: [], ms: performance.now() - start, failures };
}
