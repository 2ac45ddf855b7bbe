import { confidenceNow } from "../src/core/memory/age.ts";
import { policyOf } from "../src/core/memory/types.ts";
import type { Corpus, IndexedMemory } from "../src/core/index/corpus.ts";
import type { Query } from "../src/core/index/query.ts";
import { analyze } from "../src/core/text/analyze.ts";
import { evidenceByWords } from "./keyword.ts";
import { ranked, type RankEvidence } from "./need.ts";
import type { RankOptions, Strategy } from "./strategy.ts";

/**
 * Newest first, with decay, for a cold start. If the query has words, only memories that share some are ranked, because
 * most prompts have nothing to do with whatever is newest.
 */
export const recency = {
  name: "recency",
  summary: "Keyword matches, newest first; without keywords, the newest memories",
  cost: "local",
  status: "stable",
  needsMs: 20,
  async rank(query, corpus, { limit, now }) {
    if (query.terms.length > 0) return ranked(await evidenceByAge(query, corpus, now), { limit });
    return (await corpus.newest(limit)).map((memory) => {
      const score = freshness(memory, now);
      return { memory: memory.id, score, parts: { freshness: score } };
    }).sort((a, b) => b.score - a.score); // a sort keeps the order of equals
  },
} as const satisfies Strategy;

/** What words and age say of the memories that share words with a query. */
export async function evidenceByAge(
  query: Query,
  corpus: Corpus,
  now: RankOptions["now"],
): Promise<RankEvidence[]> {
  const found = await evidenceByWords(query, corpus);
  const memories = await corpus.memories(found.map(({ memory }) => memory));
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return found.map(({ features, ...hit }): RankEvidence => {
    const memory = byId.get(hit.memory)!;
    return {
      ...{ ...hit, by: "recency" },
      features: {
        ...features,
        // A name of several words is as good as an identifier.
        "exact identifier": isNamedBy(query, memory.name) ? 1 : features["exact identifier"]!,
        "freshness": freshness(memory, now),
      },
    };
  });
}

function freshness(memory: IndexedMemory, now: Date): number {
  return confidenceNow(memory, policyOf(memory.type).lifespanDays, now);
}

/** Whether a query has all words of a name, function words aside, which are at least two. */
function isNamedBy(query: Query, name: string): boolean {
  const words = new Set(analyze(name).filter((term) => !query.isFunctionWord(term)));
  return words.size >= 2 && [...words].every((word) => query.terms.includes(word));
}
