import { beyondChance } from "./chance.ts";
import { lexical, LEXICAL_CHANCE, lifted, relevance } from "./lexical.ts";
import type { Strategy } from "./strategy.ts";

/** What a score is taken down by so that off-topic prompts reach thresholds as rarely as with `hybrid`. */
const HANDICAP = 0.2;
/** Candidates: those of a prompt's own words and of its English ones are put together. */
const POOL = 200;

/** FTS5 BM25 over name, description, triggers, tags and body: any shared word counts, rare ones most. */
export const keyword = {
  name: "keyword",
  summary: "BM25 over names, descriptions, triggers, tags and text",
  cost: "local",
  status: "stable",
  needsMs: 20,
  async rank(query, corpus, { limit }) {
    const found = await lexical(query, corpus, Math.max(limit, POOL));
    const size = await corpus.size();
    return [...found.scores].map(([memory, share]) => {
      const score = beyondChance(relevance(share, found) - HANDICAP, size, LEXICAL_CHANCE);
      return {
        memory,
        score: lifted(score, memory, found),
        parts: { lexical: share },
      };
    }).sort((a, b) => b.score - a.score).slice(0, limit); // equals keep BM25's order
  },
} as const satisfies Strategy;
