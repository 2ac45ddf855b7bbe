import type { Strategy } from "../../strategies/strategy.ts";

/** Ranks by the words of the query that a memory's path has: as plain as a strategy can be. */
export const pathAffinity = {
  name: "path_affinity",
  summary: "Words of the prompt in a memory's path",
  cost: "local",
  status: "preview",
  needsMs: 5,
  async rank(query, corpus, { limit }) {
    const memories = await corpus.newest(1000);
    const share = (path: string) =>
      query.terms.filter((term) => path.includes(term)).length / Math.max(1, query.terms.length);
    return memories.map(({ id, path }) => ({ memory: id, score: share(path) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.memory - b.memory)
      .slice(0, limit);
  },
} as const satisfies Strategy;
