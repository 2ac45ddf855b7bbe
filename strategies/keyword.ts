import type { Corpus } from "../src/core/index/corpus.ts";
import type { Query } from "../src/core/index/query.ts";
import { lexical } from "./lexical.ts";
import { ranked, type RankEvidence, wordFeatures } from "./need.ts";
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
  async rank(query, corpus, options) {
    return ranked(await evidenceByWords(query, corpus), options);
  },
} as const satisfies Strategy;

/** What words say of the memories that they lead to, best BM25 first. */
export async function evidenceByWords(query: Query, corpus: Corpus): Promise<RankEvidence[]> {
  const found = await lexical(query, corpus, POOL);
  const size = await corpus.size();
  return [...found.scores].map(([memory, lexical]) => ({
    ...{ memory, parts: { lexical }, by: "keyword" },
    features: wordFeatures(memory, { query, found, size }),
  }));
}
