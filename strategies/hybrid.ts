import type { Corpus, PassageHit } from "../src/core/index/corpus.ts";
import type { Query } from "../src/core/index/query.ts";
import { type Calibration, calibrationOf } from "../src/core/embed/mod.ts";
import { beyondChance, lexical, lifted, wordsAlone } from "./lexical.ts";
import { keyword } from "./keyword.ts";
import type { Hit, RankOptions, Strategy } from "./strategy.ts";

/**
 * In English BM25 is trusted more the more of the prompt's words one memory has (`best`). In another language it is
 * trusted more the more of the prompt's own words the memories have (`known`): where they have none they are in
 * English, and only the glossary leads to them.
 */
function mixtureFor(
  query: Query,
  { english, foreign }: Calibration,
  { best, known }: { best: number; known: number },
): { share: number; damping: number } {
  return query.isForeign
    ? { share: foreign.cosine - foreign.words * known, damping: foreign.damping }
    : { share: english.cosine - english.words * best, damping: english.damping };
}

/** A nearness as what it is worth, 0–1. */
function calibrated(near: number, { nearness: { floor, gain } }: Calibration): number {
  return Math.min(1, Math.max(0, (near - floor) * gain));
}

/** BM25 of a memory that many rare words lead to; more says no more. */
const PLENTY = 20;

/** The views of a memory without triggers that has a description. */
const USUAL_VIEWS = 2;

/**
 * How much likelier than in the stores that thresholds were measured in something is near by chance: memories with
 * triggers can be near in one more way.
 */
function crowding(near: readonly PassageHit[]): number {
  const views = near.reduce((sum, hit) => sum + hit.views, 0) / Math.max(1, near.length);
  return Math.max(1, views / USUAL_VIEWS);
}

/** Hits whose relevance decides what the best one's score is. */
const JUDGED = 5;

/** Candidates taken from each side before they are put together. */
const POOL = 200;

/**
 * Meaning and words together. They are mixed twice: to put memories in order, where BM25 is relative to the best
 * hit's, and to say how relevant the best ones are, on an absolute scale. The best hit's score is that relevance, and
 * the others' are lower by as much as they rank lower.
 */
export const hybrid = {
  name: "hybrid",
  summary: "Embedding similarity of the best passage, combined with BM25",
  cost: "local",
  status: "stable",
  needsMs: 30,
  fallback: "keyword",
  async rank(query, corpus, { limit }) {
    const embedding = query.vector();
    embedding.catch(() => {}); // it is awaited after the words, which may fail first
    const found = await lexical(query, corpus, POOL); // while another thread embeds
    const vector = await embedding;
    const { scores: words, known, full } = found;
    const near = await corpus.nearest(vector, { limit: POOL, also: new Set(words.keys()) });
    const best = Math.max(0, ...words.values());
    const calibration = calibrationOf(await corpus.model());
    const { relevance, handicap, chance } = calibration;
    const trust = relevance.cosine * (query.isForeign ? relevance.foreign : 1);
    const { share, damping } = mixtureFor(query, calibration, { best, known });
    const ranked = near.map(({ memory, cosine, nearness, start, end }) => {
      const meaning = calibrated(nearness, calibration), lexical = words.get(memory) ?? 0;
      return {
        memory,
        passage: end > start ? { start, end } : undefined,
        /** What it is put in order by, 0–1, comparable within one prompt. */
        rank: share * meaning + (1 - share) * lexical / (best + damping),
        /** How relevant it is, 0–1, comparable between prompts. */
        relevance: trust * meaning + relevance.words * lexical +
          relevance.plenty * Math.min(PLENTY, lexical * full) / PLENTY,
        parts: { cosine, lexical },
      };
    });
    ranked.sort((a, b) => b.rank - a.rank || a.memory - b.memory);
    const scale = scaleOf(ranked);
    const size = await corpus.size(), crowd = size * crowding(near);
    const hits = ranked.map(({ memory, passage, rank, parts }): Hit => ({
      memory,
      score: lifted(beyondChance(rank * scale - handicap, crowd, chance), memory, found),
      passage,
      parts,
    }));
    // What has no vector yet (just written, say) is judged by its words.
    const seen = new Set(near.map((hit) => hit.memory));
    for (const [memory, share] of words) {
      if (seen.has(memory)) continue;
      const score = lifted(wordsAlone(share, found, size), memory, found);
      hits.push({ memory, score, parts: { lexical: share } });
    }
    return hits.sort((a, b) => b.score - a.score).slice(0, limit);
  },
} as const satisfies Strategy;

/** What turns a rank into a score: the best one becomes the highest relevance among the first. */
function scaleOf(ranked: readonly { readonly rank: number; readonly relevance: number }[]): number {
  const top = ranked[0]?.rank ?? 0;
  return top === 0 ? 0 : Math.max(...ranked.slice(0, JUDGED).map((hit) => hit.relevance)) / top;
}

/** The best ranking that this machine can make by itself, with an embedding model or without. */
export async function rankLocally(
  query: Query,
  corpus: Corpus,
  options: RankOptions,
): Promise<readonly Hit[]> {
  return await hybrid.rank(query, corpus, options)
    .catch(() => keyword.rank(query, corpus, options)); // no embedding model is loaded
}
