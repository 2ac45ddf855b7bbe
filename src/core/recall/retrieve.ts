import { type Config, typeSettings } from "../settings/config.ts";
import { messageOf } from "../../errors.ts";
import type { Corpus, TypeFilter } from "../index/corpus.ts";
import { isDamage } from "../index/mod.ts";
import type { Query } from "../index/query.ts";
import { ownStrategy } from "./own_strategy.ts";
import { type StrategyName, strategyNamed } from "../../../strategies/mod.ts";
import type { Ask, Hit, RankOptions, Strategy } from "../../../strategies/strategy.ts";
import { adjusted, type ADJUSTMENTS } from "./adjust.ts";
import { refusedFor } from "./never.ts";
import { TYPES } from "../memory/types.ts";

/** The hits of one strategy. */
export interface Ranking {
  /** The strategy that ranked: not the one in the settings if that failed and its fallback replaced it. */
  readonly strategy: string;
  readonly hits: readonly Hit[];
  readonly ms: number;
  /** A language model ranks the same memories: before it answers, only sure hits are delivered. */
  readonly isProvisional?: true;
  /** It is about an earlier prompt, whose answer from a language model came late. */
  readonly isLate?: boolean;
  /** Memories that are not for such prompts. */
  readonly refused?: ReadonlySet<number>;
  /** Why the fallback ranked. */
  readonly failures: readonly string[];
}

export interface RetrieveOptions {
  /** The memories that apply. */
  readonly corpus: Corpus;
  readonly config: Config;
  readonly now: Date;
  /** Hits asked of each strategy. */
  readonly limit: number;
  /** What moves the scores of local strategies. */
  readonly adjustment?: keyof typeof ADJUSTMENTS | undefined;
  /** Paths of memories already shown in the session. */
  readonly exclude?: ReadonlySet<string>;
  /** Ranks all types with this strategy, regardless of the settings. */
  readonly only?: string | undefined;
  readonly ask?: Ask | undefined;
  /** Aborts LLM calls. */
  readonly signal?: AbortSignal | undefined;
  /** The turns before the prompt; read only if a language model is asked. */
  readonly turns?: (() => Promise<readonly string[]>) | undefined;
}

/** A ranking that has been started. */
export interface Retrieval {
  /** Answers in this prompt. */
  readonly local: Promise<readonly Ranking[]>;
  /** Asks a language model, and may settle long after the prompt has gone on; no promise here rejects. */
  readonly remote: readonly Promise<Ranking>[];
}

/**
 * Starts every strategy that is assigned to some type, all at once. If one asks a language model, its local
 * fallback answers this prompt, provisionally.
 */
export function retrieve(query: Query, options: RetrieveOptions): Retrieval {
  const local: Promise<Ranking>[] = [], remote: Promise<Ranking>[] = [];
  for (const assignment of assignmentsOf(options)) {
    const { strategy } = assignment;
    if (strategy.cost === "local" || options.ask === undefined) {
      local.push(rankWith(assignment, query, options));
      continue;
    }
    // After the prompt has gone on, only the receipt can still report a failure.
    remote.push(
      rankWith(assignment, query, options).catch((error) => ({
        ...{ strategy: strategy.name, hits: [], ms: 0, failures: [messageOf(error)] },
      })),
    );
    const fallback = strategyNamed(strategy.fallback ?? "");
    if (fallback !== undefined) {
      const ranking = rankWith({ ...assignment, strategy: fallback }, query, options);
      local.push(ranking.then((ranking) => ({ ...ranking, isProvisional: true })));
    }
  }
  return { local: Promise.all(local), remote };
}

/** Whether some type is ranked by a language model. */
export function needsModel(options: Pick<RetrieveOptions, "config" | "only">): boolean {
  return assignmentsOf(options).some(({ strategy }) => strategy.cost === "api");
}

/** The same where one may be asked. */
export function usesModel(options: Pick<RetrieveOptions, "config" | "ask" | "only">): boolean {
  return options.ask !== undefined && needsModel(options);
}

function assignmentsOf(
  { only, config }: Pick<RetrieveOptions, "config" | "only">,
): readonly Assignment[] {
  const strategy = only === undefined ? undefined : strategyOf(only, config);
  return strategy === undefined ? assign(config) : [{ strategy, filter: undefined }];
}

/** The rankings of every strategy, however long they take. */
export async function rankAll(query: Query, options: RetrieveOptions): Promise<Ranking[]> {
  const { local, remote } = retrieve(query, options);
  return settled(await local, await Promise.all(remote));
}

/** The rankings that apply once a language model has answered, without its provisional fallback. */
export function settled(local: readonly Ranking[], remote: readonly Ranking[]): Ranking[] {
  return [...local.filter(({ isProvisional }) => !isProvisional), ...remote];
}

async function rankWith(
  assignment: Assignment,
  query: Query,
  options: RetrieveOptions,
): Promise<Ranking> {
  const start = performance.now();
  const { now, limit, exclude, ask, signal, adjustment } = options;
  const turns = assignment.strategy.cost === "api" && ask !== undefined
    ? await options.turns?.()
    : undefined;
  const rankOptions: RankOptions = { now, limit, exclude, turns, ask, signal };
  const failures: string[] = [];
  let strategy: Strategy | undefined = assignment.strategy;
  while (strategy !== undefined) {
    try {
      const corpus = options.corpus.of(assignment.filter);
      const ranked = await corpus.size() === 0
        ? []
        : await strategy.rank(query, corpus, rankOptions);
      const hits = adjustment === undefined || strategy.cost === "api"
        ? ranked
        : ranked.map((hit) => adjusted(hit, adjustment));
      const refused = await refusedFor(query, options.corpus, ranked);
      const ms = performance.now() - start;
      return { strategy: strategy.name, hits, ms, failures, ...refused.size > 0 && { refused } };
    } catch (error) {
      if (isDamage(error)) throw error;
      failures.push(`${strategy.name}: ${messageOf(error)}`);
      strategy = strategyNamed(strategy.fallback ?? "");
    }
  }
  return { strategy: assignment.strategy.name, hits: [], ms: performance.now() - start, failures };
}

/** Types that share a strategy are ranked by one call of it. */
interface Assignment {
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

/** Replaces a strategy in the settings that this version of memo does not know. */
const DEFAULT_STRATEGY: StrategyName = "hybrid";

function inForce(config: Config, type: string): Strategy {
  return strategyOf(typeSettings(config, type).strategy, config) ??
    strategyNamed(DEFAULT_STRATEGY)!;
}

/** The strategy that a setting's value names: a file of the user's, or one of memo's; undefined if it names none. */
export function strategyOf(value: string, config: Config): Strategy | undefined {
  return ownStrategy(value, config) ?? strategyNamed(value);
}
