import { beyondChance } from "./chance.ts";
import { lexical } from "./lexical.ts";
import type { Hit, Strategy } from "./strategy.ts";

const COSINE_SHARE = 0.7;
const LEXICAL_SHARE = 0.3;
/**
 * BM25 is divided by the best hit's and this. Without it a lone weak match would count as a full one; much more
 * of it and the best match of a long question would count for nothing.
 */
const DAMPING = 0.5;
/** At least this for a memory with the very identifier that was asked for, whatever its embedding says. */
const EXACT = 0.6;
/** Candidates taken from each side before they are put together. */
const POOL = 200;

/** Meaning and words together: 0.7 × cosine of the best passage + 0.3 × BM25, each 0–1. */
export const hybrid = {
  name: "hybrid",
  summary: "Embedding similarity of the best passage, with BM25",
  cost: "local",
  status: "stable",
  needsMs: 30,
  fallback: "keyword",
  async rank(query, corpus, { limit }) {
    const vector = await query.vector();
    const { scores: words, exact } = await lexical(query, corpus, POOL);
    const near = await corpus.nearest(vector, {
      limit: POOL,
      also: new Set(words.keys()),
    });
    const size = await corpus.size();
    const best = Math.max(0, ...words.values());

    const hitOf = (memory: number, cosine: number, passage: Hit["passage"]): Hit => {
      const share = words.get(memory) ?? 0;
      const mixed = COSINE_SHARE * Math.max(0, cosine) + LEXICAL_SHARE * share / (best + DAMPING);
      const score = beyondChance(mixed, size);
      return {
        memory,
        score: exact.has(memory) ? Math.max(EXACT, score) : score,
        passage,
        parts: { cosine, lexical: share },
      };
    };
    const hits = near.map(({ memory, cosine, start, end }) =>
      hitOf(memory, cosine, end > start ? { start, end } : undefined)
    );
    // What has no vector yet (just written, say) can still be found by its words.
    const seen = new Set(near.map((hit) => hit.memory));
    for (const memory of words.keys()) {
      if (!seen.has(memory)) hits.push(hitOf(memory, 0, undefined));
    }
    return hits.sort((a, b) => b.score - a.score || a.memory - b.memory).slice(0, limit);
  },
} as const satisfies Strategy;
