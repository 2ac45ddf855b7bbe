import type { Corpus } from "../src/index/corpus.ts";
import type { Query } from "../src/index/query.ts";
import { isStopword } from "../src/index/stopwords.ts";

/** What the words of a query find. */
export interface Lexical {
  /** Memory → BM25 as a share of what a memory with every word of the query would get, 0–1; best first. */
  readonly scores: ReadonlyMap<number, number>;
  /** Memories that contain a term so rare and so particular that it is what was meant. */
  readonly exact: ReadonlySet<number>;
}

/** Terms that are looked up: the rarest ones; a pasted log has hundreds, and most say nothing. */
const MAX_TERMS = 24;
/** A term in more than this share of all memories is left out as long as there are others. */
const COMMON = 0.3;
/**
 * Below this number of memories document frequencies say nothing: every word is in a large share of them.
 * Rarity is then judged as if there were `ASSUMED` memories, and BM25, which cannot, gives way to coverage.
 */
const SMALL = 20;
const ASSUMED = 100;
/** An identifier in at most this many memories, or this share of them, is as good as an address. */
const RARE = { memories: 2, share: 0.005 };
const MAX_EXACT = 20;

/**
 * Memories by BM25, on an absolute scale: divided by the query's own weight instead of by the best hit's, a
 * lone weak match stays weak and a full match is 1, whatever else was found.
 */
export async function lexical(query: Query, corpus: Corpus, limit: number): Promise<Lexical> {
  const { documents, containing } = await corpus.statistics(query.terms);
  const terms = withoutStopwords(query.terms.map((term, i): Term => ({
    term,
    containing: containing[i]!,
    weight: rarity(containing[i]!, documents < SMALL ? ASSUMED : documents),
  })));
  const known = terms.filter((term) => term.containing > 0).sort((a, b) =>
    a.containing - b.containing
  );
  const telling = known.filter((term) =>
    documents < SMALL || term.containing <= documents * COMMON
  );
  const chosen = (telling.length > 0 ? telling : known).slice(0, MAX_TERMS);
  if (chosen.length === 0) return { scores: new Map(), exact: new Set() };
  const full = terms.map((term) => term.weight).sort((a, b) => b - a).slice(0, MAX_TERMS)
    .reduce((sum, weight) => sum + weight, 0);
  const found = documents < SMALL
    ? await coverage(chosen, corpus)
    : (await corpus.words(chosen.map(({ term }) => term), limit)).map((hit) =>
      [hit.memory, hit.bm25] as const
    );
  return {
    scores: new Map(found.map(([memory, weight]) => [memory, Math.min(1, weight / full)])),
    exact: await exactMatches(chosen, query, { corpus, documents }),
  };
}

/** Memory → the weight of the terms that it contains, best first. */
async function coverage(terms: readonly Term[], corpus: Corpus): Promise<[number, number][]> {
  const weights = new Map<number, number>();
  for (const { term, weight } of terms) {
    for (const { memory } of await corpus.words([term], SMALL)) {
      weights.set(memory, (weights.get(memory) ?? 0) + weight);
    }
  }
  return [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

async function exactMatches(
  terms: readonly Term[],
  query: Query,
  { corpus, documents }: { corpus: Corpus; documents: number },
): Promise<Set<number>> {
  const rare = terms.filter(({ term, containing }) =>
    query.identifiers.has(term) && containing <= Math.max(RARE.memories, documents * RARE.share)
  );
  const hits = await corpus.words(rare.map(({ term }) => term), MAX_EXACT);
  return new Set(hits.map((hit) => hit.memory));
}

interface Term {
  readonly term: string;
  /** Memories that contain it. */
  readonly containing: number;
  readonly weight: number;
}

/** Function words are left out, unless there is nothing else. */
function withoutStopwords(terms: readonly Term[]): readonly Term[] {
  const telling = terms.filter(({ term }) => !isStopword(term));
  return telling.length > 0 ? telling : terms;
}

/** BM25's inverse document frequency (Robertson and Spärck Jones), never below a small positive number. */
function rarity(containing: number, documents: number): number {
  return Math.max(0.01, Math.log((documents - containing + 0.5) / (containing + 0.5)));
}
