import { lexical, lifted, wordsAlone } from "./lexical.ts";
import type { Strategy } from "./strategy.ts";

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
    return [...found.scores].map(([memory, share]) => ({
      memory,
      score: lifted(wordsAlone(share, found, size), memory, found),
      parts: { lexical: share },
    })).sort((a, b) => b.score - a.score).slice(0, limit); // equals keep BM25's order
  },
} as const satisfies Strategy;
