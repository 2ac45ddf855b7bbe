import type { Config } from "../settings/config.ts";
import { messageOf } from "../errors.ts";
import { isDamage } from "../index/database.ts";
import type { Corpus } from "../index/corpus.ts";
import type { Query } from "../index/query.ts";
import { strategyNamed } from "../../strategies/mod.ts";
import type { Ask, Hit, RankOptions, Strategy } from "../../strategies/strategy.ts";
import { assign, type Assignment } from "./assign.ts";

/** What one strategy found. */
export interface Ranking {
  /** The strategy that ranked: not the one in the settings where that one failed and another stood in. */
  readonly strategy: string;
  readonly hits: readonly Hit[];
  readonly ms: number;
  /** A language model is being asked about the same memories: only what is sure need go before it answers. */
  readonly isProvisional?: true;
  /** Why another strategy stood in. */
  readonly failures: readonly string[];
}

export interface RetrieveOptions {
  /** The memories that count. */
  readonly corpus: Corpus;
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
  /** What was said before the prompt; read only where a language model is asked. */
  readonly turns?: (() => Promise<readonly string[]>) | undefined;
}

/** What has been set going. */
export interface Retrieval {
  /** Answers in this prompt. */
  readonly local: Promise<readonly Ranking[]>;
  /** Asks a language model; it may settle long after the prompt has gone on. None of these rejects. */
  readonly remote: readonly Promise<Ranking>[];
}

/**
 * Asks every strategy that is in force for some type, all at once. Where one asks a language model, its local
 * fallback answers this prompt, provisionally.
 */
export function retrieve(query: Query, options: RetrieveOptions): Retrieval {
  const only = options.only === undefined ? undefined : strategyNamed(options.only);
  const assignments = only === undefined
    ? assign(options.config)
    : [{ strategy: only, filter: undefined }];
  const local: Promise<Ranking>[] = [], remote: Promise<Ranking>[] = [];
  for (const assignment of assignments) {
    const { strategy } = assignment;
    const fallback = standIn(strategy);
    if (strategy.cost === "local" || options.ask === undefined) {
      local.push(rankWith(assignment, query, options));
      continue;
    }
    remote.push(
      rankWith(assignment, query, options).catch((error) => unusable(strategy.name, error)),
    );
    if (fallback !== undefined) {
      const ranking = rankWith({ ...assignment, strategy: fallback }, query, options);
      local.push(ranking.then((ranking) => ({ ...ranking, isProvisional: true })));
    }
  }
  return { local: Promise.all(local), remote };
}

/** The local strategy that answers while one that asks a language model waits. */
function standIn({ cost, fallback }: Strategy): Strategy | undefined {
  return cost === "local" || fallback === undefined ? undefined : strategyNamed(fallback);
}

/** The rankings of every strategy, however long they take. */
export async function rankAll(query: Query, options: RetrieveOptions): Promise<Ranking[]> {
  const { local, remote } = retrieve(query, options);
  return settled(await local, await Promise.all(remote));
}

/** The rankings that count once a language model has answered: what stood in for it meanwhile does not. */
export function settled(local: readonly Ranking[], remote: readonly Ranking[]): Ranking[] {
  return [...local.filter(({ isProvisional }) => !isProvisional), ...remote];
}

/** The ranking of a strategy that failed after the prompt had gone on: the receipt is the only place left to say so. */
function unusable(strategy: string, error: unknown): Ranking {
  return { strategy, hits: [], ms: 0, failures: [messageOf(error)] };
}

async function rankWith(
  assignment: Assignment,
  query: Query,
  options: RetrieveOptions,
): Promise<Ranking> {
  const start = performance.now();
  const { now, limit, exclude, ask, signal } = options;
  const turns = assignment.strategy.cost === "api" && ask !== undefined
    ? await options.turns?.()
    : undefined;
  const rankOptions: RankOptions = { now, limit, exclude, turns, ask, signal };
  const failures: string[] = [];
  let strategy: Strategy | undefined = assignment.strategy;
  while (strategy !== undefined) {
    try {
      const corpus = options.corpus.of(assignment.filter);
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
