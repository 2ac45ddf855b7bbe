import { beyondChance } from "./chance.ts";
import { lexical } from "./lexical.ts";
import type { Strategy } from "./strategy.ts";

/** What a score is taken down by so that off-topic prompts reach thresholds as rarely as with `hybrid`. */
const HANDICAP = 0.05;
/** At least this for a memory with the very identifier that was asked for. */
const EXACT = 0.6;

/** FTS5 BM25 over name, description, triggers, tags and body: any shared word counts, rare ones most. */
export const keyword = {
  name: "keyword",
  summary: "BM25 over names, descriptions, triggers, tags and text",
  cost: "local",
  status: "stable",
  needsMs: 20,
  async rank(query, corpus, { limit }) {
    const { scores, exact } = await lexical(query, corpus, limit);
    const size = await corpus.size();
    return [...scores].map(([memory, share]) => {
      const score = beyondChance(share - HANDICAP, size);
      return {
        memory,
        score: exact.has(memory) ? Math.max(EXACT, score) : score,
        parts: { lexical: share },
      };
    }).sort((a, b) => b.score - a.score || a.memory - b.memory);
  },
} as const satisfies Strategy;
