import type { Corpus, KnownTerm } from "../src/core/index/corpus.ts";
import type { Query } from "../src/core/index/query.ts";
import { isStopword } from "../src/core/text/language/stopwords.ts";
import { cutsOf } from "../src/core/text/analyze.ts";

/** What the words of a query find. */
export interface Lexical {
  /** Memory → BM25 as a share of what a memory with every word of the query would get, 0–1; best first. */
  readonly scores: ReadonlyMap<number, number>;
  /** Memories that contain a term so rare and so particular that it is what was meant. */
  readonly exact: ReadonlySet<number>;
  /** BM25 of what has every word of the query, in its own language or in English: what a share is a share of. */
  readonly full: number;
  /** The best of those shares. */
  readonly best: number;
  /** The prompt's own words, function words aside. */
  readonly asked: number;
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
/** An identifier in at most this many memories is as good as an address. */
const RARE = 2;
const MAX_EXACT = 20;

/** A shorter word has too many that are one letter away. */
const MIN_MISTYPED = 5;
/** Mistyped words that are looked into, and what each may have been meant to be. */
const MAX_MISTYPED = 3, MAX_LIKELY = 2;

/** What has all of a prompt's words is a full match only from this weight: one common word is not enough. */
const LEAST_FULL = 10;

/** Translated words that are looked up. */
const MAX_TRANSLATED = 12;
/** What a translated word counts against one of the prompt's own: it may be the wrong sense. */
const TRANSLATED = 0.5;

/**
 * Memories by BM25, on an absolute scale: divided by the query's own weight instead of by the best hit's, a
 * lone weak match stays weak and a full match is 1, whatever else was found. A prompt in another language
 * than English is looked up with its English words as well.
 */
export async function lexical(query: Query, corpus: Corpus, limit: number): Promise<Lexical> {
  const english = query.translation?.terms ?? [];
  const joined = [...query.joined.keys()];
  const asked = [...query.terms, ...english, ...joined];
  const { documents, containing } = await corpus.statistics(asked);
  const rate = (known: KnownTerm): Term => ({
    ...known,
    weight: rarity(known.containing, documents < SMALL ? ASSUMED : documents),
  });
  const termsOf = (terms: readonly string[], from: number) =>
    terms.map((term, i) => rate({ term, containing: containing[from + i]! }));
  const own = withoutFunctionWords(termsOf(query.terms, 0), query);
  const translated = withoutFunctionWords(termsOf(english, query.terms.length), query);
  const together = termsOf(joined, query.terms.length + english.length)
    .filter(({ term, containing }) => containing > 0 && !query.isFunctionWord(term));
  const corrected = await correct(own, query, corpus);
  const chosen = informative([...own, ...together, ...corrected.terms.map(rate)], documents);
  const weights = await weigh(chosen, { corpus, documents, limit });
  if (translated.length > 0) {
    const rarest = informative(translated, documents).slice(0, MAX_TRANSLATED);
    const found = await weigh(rarest, { corpus, documents, limit });
    for (const [memory, weight] of found) {
      weights.set(memory, (weights.get(memory) ?? 0) + TRANSLATED * weight);
    }
  }
  const unknown = query.translation?.unknown;
  const untranslated = unknown === undefined ? own : own.filter(({ term }) => unknown.has(term));
  const expected = fullWeight(untranslated) + TRANSLATED * fullWeight(translated);
  const parts = new Set(together.flatMap(({ term }) => query.joined.get(term)!));
  const isFound = ({ term, containing }: Term) =>
    containing > 0 || corrected.for.has(term) || parts.has(term);
  const found = fullWeight(untranslated.filter(isFound)) +
    TRANSLATED * fullWeight(translated.filter(isFound));
  const full = Math.max(
    LEAST_FULL,
    expected,
    Math.max(0, ...weights.values()) * (found > 0 ? expected / found : 1),
  );
  const scores = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit)
    .map(([memory, weight]) => [memory, weight / full] as const);
  return {
    scores: new Map(scores),
    full,
    exact: await exactMatches(chosen, query, corpus),
    best: scores[0]?.[1] ?? 0,
    asked: own.length,
  };
}

/** What words that no memory has may have been meant to be: a word without the typing mistake, or two words. */
async function correct(own: readonly Term[], query: Query, corpus: Corpus) {
  const strange = own.filter(({ term, containing }) =>
    containing === 0 && term.length >= MIN_MISTYPED && /^[a-z]+$/.test(term)
  ).slice(0, MAX_MISTYPED);
  const corrected = await Promise.all(strange.map(async ({ term }) => {
    const likely = query.isForeign ? [] : (await corpus.likely(term)).slice(0, MAX_LIKELY);
    return likely.length > 0 ? likely : await halvesOf(cutsOf(term, query.text), corpus);
  }));
  const corrects = strange.filter((_, i) => corrected[i]!.length > 0);
  return { terms: corrected.flat(), for: new Set(corrects.map(({ term }) => term)) };
}

/** Two words that make up one, if memories have both; of several cuts the one whose rarer half is the commonest. */
async function halvesOf(
  cuts: readonly (readonly [string, string])[],
  corpus: Corpus,
): Promise<readonly KnownTerm[]> {
  const { containing } = await corpus.statistics(cuts.flat());
  const known = cuts.map((cut, i): KnownTerm[] =>
    cut.map((half, side) => ({ term: half, containing: containing[2 * i + side]! }))
  );
  const rarerOf = (halves: readonly KnownTerm[]) => Math.min(...halves.map((it) => it.containing));
  const [best] = known.filter((halves) => !halves.some(({ term }) => isStopword(term)))
    .sort((a, b) => rarerOf(b) - rarerOf(a));
  return best !== undefined && rarerOf(best) > 0 ? best : [];
}

/** The terms that are looked up: those that some memories have and not most, the rarest first. */
function informative(terms: readonly Term[], documents: number): readonly Term[] {
  const known = terms.filter((term) => term.containing > 0)
    .sort((a, b) => a.containing - b.containing);
  const rarer = known.filter((term) => documents < SMALL || term.containing <= documents * COMMON);
  return (rarer.length > 0 ? rarer : known).slice(0, MAX_TERMS);
}

/** What a memory with every one of the terms that count would weigh. */
function fullWeight(terms: readonly Term[]): number {
  return terms.map((term) => term.weight).sort((a, b) => b - a).slice(0, MAX_TERMS)
    .reduce((sum, weight) => sum + weight, 0);
}

async function weigh(
  terms: readonly Term[],
  { corpus, documents, limit }: { corpus: Corpus; documents: number; limit: number },
): Promise<Map<number, number>> {
  if (documents < SMALL) return await coverage(terms, corpus);
  const found = await corpus.words(terms.map(({ term }) => term), limit);
  return new Map(found.map((hit) => [hit.memory, hit.bm25]));
}

async function coverage(terms: readonly Term[], corpus: Corpus): Promise<Map<number, number>> {
  const weights = new Map<number, number>();
  for (const { term, weight } of terms) {
    for (const { memory } of await corpus.words([term], SMALL)) {
      weights.set(memory, (weights.get(memory) ?? 0) + weight);
    }
  }
  return weights;
}

async function exactMatches(
  terms: readonly Term[],
  query: Query,
  corpus: Corpus,
): Promise<Set<number>> {
  const rare = terms.filter(({ term, containing }) =>
    query.identifiers.has(term) && containing <= RARE
  );
  const hits = await corpus.words(rare.map(({ term }) => term), MAX_EXACT);
  return new Set(hits.map((hit) => hit.memory));
}

interface Term extends KnownTerm {
  readonly weight: number;
}

/** Function words are left out, unless there is nothing else. */
function withoutFunctionWords(terms: readonly Term[], query: Query): readonly Term[] {
  const content = terms.filter(({ term }) => !query.isFunctionWord(term));
  return content.length > 0 ? content : terms;
}

/** BM25's inverse document frequency (Robertson and Spärck Jones), never below a small positive number. */
function rarity(containing: number, documents: number): number {
  return Math.max(0.01, Math.log((documents - containing + 0.5) / (containing + 0.5)));
}
