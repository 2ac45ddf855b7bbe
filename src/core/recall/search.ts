import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import type { Index } from "../index/mod.ts";
import { Query } from "../index/query.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { latersOf } from "./overtaken.ts";
import { isEnoughFor } from "./adjust.ts";
import { rankAll, type RetrieveOptions } from "./retrieve.ts";
import { topicTerms } from "./query_text.ts";

/** One result of a search. */
export interface SearchHit {
  readonly memory: IndexedMemory;
  readonly score: number;
  /** Whether it is no match: its score is below the threshold of its type, and it lacks words of the query. */
  readonly belowThreshold: boolean;
  /** Whether it is a match, or nearly: its score nearly reaches the threshold. */
  readonly fits: boolean;
  readonly strategy: string;
  /** The best matching part of the body. */
  readonly passage: string;
  /** The later memory that has overtaken it, which stands before it. */
  readonly overtakenBy?: IndexedMemory;
}

export interface MemorySearchOptions {
  /** Maximum number of hits. */
  readonly limit: number;
  /** Ranks all types with this strategy. */
  readonly only?: string | undefined;
  /** Which memories count; default: all. */
  readonly keep?: ((memory: IndexedMemory) => boolean) | undefined;
}

/** Hits to rank if some of them are left out. */
const FILTERED_FROM = 1000;

/** The best matches for a text, best first; those far from it too, which do not fit. `failures`: why a fallback ranked. */
export async function search(
  text: string,
  { limit, only, keep }: MemorySearchOptions,
  { index, folders, embed, ...context }: Pick<RetrieveOptions, "config" | "now" | "ask"> & {
    readonly index: Index;
    readonly folders: readonly MemoryFolder[];
    readonly embed: (text: string) => Promise<Float32Array>;
  },
): Promise<{ readonly hits: readonly SearchHit[]; readonly failures: readonly string[] }> {
  const { config } = context;
  const corpus = await index.corpus(folders);
  const query = new Query(text, embed, { words: config["recall.words"] });
  const most = keep === undefined ? limit : FILTERED_FROM;
  const rankings = await rankAll(query, { ...context, corpus, limit: most, only });
  const ranked = rankings.flatMap(({ strategy, hits }) => hits.map((hit) => ({ ...hit, strategy })))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score);
  const memories = new Map(
    (await corpus.memories(ranked.map((hit) => hit.memory))).map((memory) => [memory.id, memory]),
  );
  const whole = await corpus.having(topicTerms(text), [...memories.keys()]);
  const hits = ranked.flatMap(({ memory: id, score, strategy, passage: at }): SearchHit[] => {
    const memory = memories.get(id);
    if (memory === undefined || keep?.(memory) === false) return [];
    const passage = at === undefined ? memory.body : memory.body.slice(at.start, at.end);
    const isFor = (form: "text" | "title") => isEnoughFor(form, { memory, score }, { config });
    const belowThreshold = !isFor("text") && !whole.has(id);
    const fits = !belowThreshold || isFor("title");
    return [{ memory, score, belowThreshold, fits, strategy, passage }];
  });
  return {
    hits: (await laterFirst(hits, { corpus, folders })).slice(0, limit),
    failures: rankings.flatMap((ranking) => ranking.failures),
  };
}

const COMPARED = 30;

/** The hits, each that a later one has overtaken, or says otherwise of, behind that one. */
async function laterFirst(
  hits: readonly SearchHit[],
  surroundings: { readonly corpus: Corpus; readonly folders: readonly MemoryFolder[] },
): Promise<readonly SearchHit[]> {
  const compared = hits.slice(0, COMPARED).map(({ memory }) => memory);
  const laters = await latersOf(compared, surroundings);
  const hitOf = new Map(hits.slice(0, COMPARED).map((hit) => [hit.memory.id, hit]));
  const given = new Set<SearchHit>();
  return hits.flatMap((hit, i) => {
    if (given.has(hit)) return [];
    const later = i >= COMPARED ? [] : laters(hit.memory);
    const overtakenBy = later.find(({ kind }) => kind === "overtaken")?.memory;
    const before = later.flatMap(({ memory }) => hitOf.get(memory.id) ?? [])
      .filter((other) => !given.has(other));
    for (const each of [...before, hit]) given.add(each);
    return [...before, { ...hit, ...overtakenBy && { overtakenBy } }];
  });
}

const NEIGHBOURS = 5;
/** Only the first passages of a long memory are compared. */
const PASSAGES = 16;

/** A memory with its similarity to another one. */
export interface SimilarMemory {
  readonly memory: IndexedMemory;
  readonly cosine: number;
}

/** The memories with the passages most similar to those of the memory at a path, nearest first. */
export async function nearestTo(
  path: string,
  { index, folders, limit = NEIGHBOURS }: {
    readonly index: Index;
    readonly folders: readonly MemoryFolder[];
    readonly limit?: number;
  },
): Promise<SimilarMemory[]> {
  const [indexed] = await index.byPath([path]);
  if (indexed === undefined) return [];
  const corpus = await index.corpus(folders);
  const best = new Map<number, number>();
  for (const vector of [...(await index.queue.vectorsOf(indexed.id)).values()].slice(0, PASSAGES)) {
    for (const { memory, cosine } of await corpus.nearest(vector, { limit: limit + 1 })) {
      if (memory !== indexed.id) best.set(memory, Math.max(cosine, best.get(memory) ?? -1));
    }
  }
  const ranked = [...best].sort((a, b) => b[1] - a[1]).slice(0, limit);
  const memories = await corpus.memories(ranked.map(([id]) => id));
  return memories.map((memory) => ({ memory, cosine: best.get(memory.id)! }));
}
