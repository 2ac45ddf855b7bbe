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
/** A small store makes everything look common. */
const SMALL = 20;
/** An identifier in at most this many memories, or this share of them, is as good as an address. */
const RARE = { memories: 2, share: 0.005 };

/**
 * Memories by BM25, on an absolute scale: divided by the query's own weight instead of by the best hit's, a
 * lone weak match stays weak and a full match is 1, whatever else was found.
 */
export async function lexical(query: Query, corpus: Corpus, limit: number): Promise<Lexical> {
  const { documents, containing } = await corpus.statistics(query.terms);
  const terms = withoutStopwords(query.terms.map((term, i) => ({
    term,
    containing: containing[i]!,
    weight: rarity(containing[i]!, documents),
  })));
  const known = terms.filter((term) => term.containing > 0).sort((a, b) =>
    a.containing - b.containing
  );
  const telling = documents < SMALL
    ? known
    : known.filter((term) => term.containing <= documents * COMMON);
  const chosen = (telling.length > 0 ? telling : known).slice(0, MAX_TERMS);
  if (chosen.length === 0) return { scores: new Map(), exact: new Set() };
  const full = terms.map((term) => term.weight).sort((a, b) => b - a).slice(0, MAX_TERMS)
    .reduce((sum, weight) => sum + weight, 0);
  const hits = await corpus.words(chosen.map((term) => term.term), limit);
  const rare = chosen.filter((term) =>
    query.identifiers.has(term.term) &&
    term.containing <= Math.max(RARE.memories, documents * RARE.share)
  );
  const exact = rare.length === 0 ? [] : await corpus.words(rare.map((term) => term.term), limit);
  return {
    scores: new Map(hits.map(({ memory, bm25 }) => [memory, Math.min(1, bm25 / full)])),
    exact: new Set(exact.map((hit) => hit.memory)),
  };
}

/** Function words are left out, unless there is nothing else. */
function withoutStopwords<T extends { readonly term: string }>(terms: readonly T[]): readonly T[] {
  const telling = terms.filter(({ term }) => !isStopword(term));
  return telling.length > 0 ? telling : terms;
}

/** BM25's inverse document frequency (Robertson and Spärck Jones), never below a small positive number. */
function rarity(containing: number, documents: number): number {
  return Math.max(0.01, Math.log((documents - containing + 0.5) / (containing + 0.5)));
}
