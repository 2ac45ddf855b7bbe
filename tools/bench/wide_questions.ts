import type { Corpus } from "../../src/index/corpus.ts";
import type { Query } from "../../src/index/query.ts";
import { rankLocally } from "../../strategies/local.ts";
import { type Asking, pickFrom, PICKS } from "../../strategies/manifest.ts";
import { SIDEQUERY } from "../../strategies/sidequery.ts";
import type { Question } from "../../strategies/strategy.ts";
import { VERIFY } from "../../strategies/verify.ts";

/** Local hits in a wide question of `verify`, which itself shows at most ten. */
const HITS = 24;
/** More memories than any suite that is recorded has. */
const ALL = 2000;

export interface WideOptions {
  readonly now: Date;
  /** Strategies that the questions are for. */
  readonly strategies: readonly string[];
}

/**
 * The questions of strategies about one request, with more notes than they would show: verdicts on them still answer
 * the product's own question when a change of ranking puts other notes into it.
 */
export async function wideQuestions(
  query: Query,
  corpus: Corpus,
  { now, strategies }: WideOptions,
): Promise<Question[]> {
  const questions: Question[] = [];
  const ask = (question: Question) => {
    questions.push(question);
    return Promise.resolve({ selected_memories: [] });
  };
  const put = async (asking: Asking, ids: readonly number[]) => {
    const request = { ...asking, request: query.text, room: Infinity };
    await pickFrom(await corpus.memories(ids), request, { now, ask, limit: PICKS });
  };
  if (strategies.includes(VERIFY.purpose)) {
    const hits = await rankLocally(query, corpus, { now, limit: HITS });
    await put(VERIFY, hits.map(({ memory }) => memory));
  }
  if (strategies.includes(SIDEQUERY.purpose)) {
    await put(SIDEQUERY, (await corpus.newest(ALL)).map(({ id }) => id));
  }
  return questions;
}
