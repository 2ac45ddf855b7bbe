import type { Corpus } from "../src/core/index/corpus.ts";
import type { Query } from "../src/core/index/query.ts";
import { calibrationOf } from "../src/core/embed/mod.ts";
import { lexical } from "./lexical.ts";
import { keyword } from "./keyword.ts";
import { meaningFeatures, ranked, type RankEvidence, wordFeatures } from "./need.ts";
import type { Hit, RankOptions, Strategy } from "./strategy.ts";

/** Candidates taken from each side before they are put together. */
const POOL = 200;

/** Meaning and words together. */
export const hybrid = {
  name: "hybrid",
  summary: "Embedding similarity of the best passage, combined with BM25",
  cost: "local",
  status: "stable",
  needsMs: 30,
  fallback: "keyword",
  async rank(query, corpus, options) {
    return ranked(await evidenceByMeaning(query, corpus), options);
  },
} as const satisfies Strategy;

/** What words and vectors say of the memories that either leads to. */
export async function evidenceByMeaning(query: Query, corpus: Corpus): Promise<RankEvidence[]> {
  const embedding = query.vector();
  embedding.catch(() => {}); // it is awaited after the words, which may fail first
  const found = await lexical(query, corpus, POOL); // while another thread embeds
  const vector = await embedding;
  const near = await corpus.nearest(vector, { limit: POOL, also: new Set(found.scores.keys()) });
  const calibration = calibrationOf(await corpus.model());
  const nearest = Math.max(...near.map(({ nearness }) => nearness));
  const words = { query, found, size: await corpus.size() };
  const evidence = near.map((hit): RankEvidence => {
    const { memory, cosine, start, end } = hit;
    return {
      memory,
      passage: end > start ? { start, end } : undefined,
      parts: { cosine, lexical: found.scores.get(memory) ?? 0 },
      by: "hybrid",
      features: {
        ...wordFeatures(memory, words),
        ...meaningFeatures(hit, { nearest, calibration }),
      },
    };
  });
  const seen = new Set(near.map(({ memory }) => memory));
  const others = [...found.scores].filter(([memory]) => !seen.has(memory));
  return evidence.concat(others.map(([memory, lexical]) => ({
    ...{ memory, parts: { lexical }, by: "keyword" },
    features: wordFeatures(memory, words),
  })));
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
