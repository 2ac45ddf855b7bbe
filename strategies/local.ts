import type { Corpus } from "../src/core/index/corpus.ts";
import type { Query } from "../src/core/index/query.ts";
import { hybrid } from "./hybrid.ts";
import { keyword } from "./keyword.ts";
import type { Hit, RankOptions } from "./strategy.ts";

/** The best ranking that this machine can make by itself, with an embedding model or without. */
export async function rankLocally(
  query: Query,
  corpus: Corpus,
  options: RankOptions,
): Promise<readonly Hit[]> {
  return await hybrid.rank(query, corpus, options)
    .catch(() => keyword.rank(query, corpus, options)); // no embedding model is loaded
}
