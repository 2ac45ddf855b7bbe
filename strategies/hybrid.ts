import type { Query } from "../src/index/query.ts";
import { beyondChance, type Chance } from "./chance.ts";
import { lexical, lifted } from "./lexical.ts";
import type { Hit, Strategy } from "./strategy.ts";

/** How the two sides are mixed to rank. */
interface Mixture {
  /** The cosine's share; the rest is BM25's. */
  readonly cosine: number;
  /**
   * BM25 is divided by the best hit's and this. Without it a lone weak match would count as a full one; much more
   * of it and the best match of a long question would count for nothing.
   */
  readonly damping: number;
}

/**
 * In English BM25 is trusted more the more of the prompt's words one memory has (`best`). The built-in model knows
 * English, and of another language what the glossary makes English. Where the memories have the prompt's own words
 * (`known`), they are in its language, and BM25 is trusted almost alone; where they do not, they are in English, and
 * both sides see no more than the glossary.
 */
function mixtureFor(query: Query, { best, known }: { best: number; known: number }): Mixture {
  return query.isForeign
    ? { cosine: 0.65 - 0.55 * known, damping: 0.2 }
    : { cosine: 0.75 - 0.15 * best, damping: 0.5 };
}

/** What a cosine is worth when the model saw a prompt through the glossary: by chance it is higher. */
const GLOSSED = 0.75;
/** BM25 of a memory that many rare words lead to; more says no more. */
const PLENTY = 20;
/** What a score is taken down by so that 2 of 100 off-topic prompts reach the threshold. */
const HANDICAP = 0.03;
const CHANCE: Chance = { perTenfold: 0.09, fewest: 4 };

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
    const vector = await query.vector();
    const found = await lexical(query, corpus, POOL);
    const { scores: words, known, full } = found;
    const near = await corpus.nearest(vector, {
      limit: POOL,
      also: new Set(words.keys()),
    });
    const best = Math.max(0, ...words.values());
    const { cosine: share, damping } = mixtureFor(query, { best, known });
    const rankOf = (memory: number, nearness: number, passage: Hit["passage"]): Ranked => {
      const cosine = Math.max(0, nearness), lexical = words.get(memory) ?? 0;
      return {
        memory,
        passage,
        rank: share * cosine + (1 - share) * lexical / (best + damping),
        relevance: 0.7 * (query.isForeign ? GLOSSED : 1) * cosine + 0.2 * lexical +
          0.12 * Math.min(PLENTY, lexical * full) / PLENTY,
        parts: { cosine: nearness, lexical },
      };
    };
    const ranked = near.map(({ memory, cosine, start, end }) =>
      rankOf(memory, cosine, end > start ? { start, end } : undefined)
    );
    // What has no vector yet (just written, say) can still be found by its words.
    const seen = new Set(near.map((hit) => hit.memory));
    for (const memory of words.keys()) {
      if (!seen.has(memory)) ranked.push(rankOf(memory, 0, undefined));
    }
    ranked.sort((a, b) => b.rank - a.rank || a.memory - b.memory);
    const scale = scaleOf(ranked);
    const size = await corpus.size();
    return ranked.map(({ memory, passage, rank, parts }): Hit => {
      const score = beyondChance(rank * scale - HANDICAP, size, CHANCE);
      return {
        memory,
        score: lifted(score, memory, found),
        passage,
        parts,
      };
    }).sort((a, b) => b.score - a.score).slice(0, limit);
  },
} as const satisfies Strategy;

interface Ranked {
  readonly memory: number;
  readonly passage: Hit["passage"];
  /** What it is put in order by, 0–1, comparable within one prompt. */
  readonly rank: number;
  /** How relevant it is, 0–1, comparable between prompts. */
  readonly relevance: number;
  readonly parts: Hit["parts"];
}

/** What turns a rank into a score: the best one becomes the highest relevance among the first. */
function scaleOf(ranked: readonly Ranked[]): number {
  const top = ranked[0]?.rank ?? 0;
  return top === 0 ? 0 : Math.max(...ranked.slice(0, JUDGED).map((hit) => hit.relevance)) / top;
}
