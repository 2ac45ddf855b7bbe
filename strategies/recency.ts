import { confidenceNow } from "../src/core/memory/age.ts";
import { policyOf } from "../src/core/memory/types.ts";
import type { Query } from "../src/core/index/query.ts";
import { analyze } from "../src/core/text/analyze.ts";
import { beyondChance, type Chance, lexical, LEXICAL_CHANCE, relevance } from "./lexical.ts";
import type { Strategy } from "./strategy.ts";

/** Freshness's share of the score of a memory that shares words with the prompt. */
const FRESHNESS_SHARE = 0.2;
/** At least this score for a memory whose whole name stands in the prompt: enough to pass a threshold. */
const NAMED = 0.45;
/** The same allowance for chance as `keyword` makes. */
const HANDICAP = 0.2;
/**
 * This strategy usually ranks a small part of a store, two types of eleven. Treating that part as a small store would
 * give more than 2 of 100 off-topic prompts a block, counting the rest of the memories.
 */
const CHANCE: Chance = { ...LEXICAL_CHANCE, fewest: 100 };

/**
 * Newest first, with decay, for a cold start. If the query has words, only memories that share some are ranked, because
 * most prompts have nothing to do with whatever is newest.
 */
export const recency = {
  name: "recency",
  summary: "Keyword matches, newer first; without words, the newest",
  cost: "local",
  status: "stable",
  needsMs: 20,
  async rank(query, corpus, { limit, now }) {
    const found = await lexical(query, corpus, limit * 4);
    const size = await corpus.size();
    const asked = query.terms.length > 0;
    const memories = asked
      ? await corpus.memories([...found.scores.keys()])
      : await corpus.newest(limit);
    return memories.map((memory) => {
      const freshness = confidenceNow(memory, policyOf(memory.type).lifespanDays, now);
      const share = found.scores.get(memory.id) ?? 0;
      const relevant = beyondChance(relevance(share, found) - HANDICAP, size, CHANCE) *
        (1 - FRESHNESS_SHARE + FRESHNESS_SHARE * freshness);
      const score = !asked
        ? freshness
        : isNamedBy(query, memory.name)
        ? Math.max(NAMED, relevant)
        : relevant;
      return { memory: memory.id, score, parts: { freshness, lexical: share } };
    })
      // Memories come newest first where they were not asked for, and a sort keeps the order of equals.
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  },
} as const satisfies Strategy;

/** Whether a query has all words of a name, function words aside, which are at least two. */
function isNamedBy(query: Query, name: string): boolean {
  const words = new Set(analyze(name).filter((term) => !query.isFunctionWord(term)));
  return words.size >= 2 && [...words].every((word) => query.terms.includes(word));
}
