import type { Answer } from "../../bench/answer.ts";

/** An answer to a query that nothing was injected for. */
export function answerOf(query: Answer["query"], ranking: Answer["ranking"]): Answer {
  return {
    ...{ query, ranking, injected: [], whole: [], before: { injected: [], whole: [] } },
    ...{ bytes: 0, ms: 1, toll: { calls: 0, usd: 0, tokens: 0 }, failures: [] },
  };
}
