import type { Embedder } from "../../src/embed/embedder.ts";
import { Query } from "../../src/index/query.ts";
import type { Config } from "../../src/settings/config.ts";
import type { Question } from "../../strategies/strategy.ts";
import { meet, questionsOf } from "../../bench/answer.ts";
import type { Contender } from "../../bench/contenders.ts";
import { withStore } from "../../bench/recall.ts";
import type { Recording } from "../../bench/recording.ts";
import type { Triggers } from "../../bench/store.ts";
import type { Suite } from "../../bench/suite.ts";
import { wideQuestions } from "./wide_questions.ts";

export interface OpenQuestionsOptions {
  readonly contenders: readonly Contender[];
  readonly embedder: Embedder;
  readonly config: Config;
  readonly triggers?: Triggers | undefined;
  readonly recording: Recording;
  readonly onProgress?: (what: "Collecting", done: number, total: number) => void;
}

/**
 * What a language model would have to answer for a suite, beyond what is recorded: the questions of enrichment, and
 * once those are answered the wide questions of the prompts.
 */
export async function openQuestions(
  suite: Suite,
  { contenders, embedder, config, triggers, recording, onProgress }: OpenQuestionsOptions,
): Promise<Question[]> {
  const open: Question[] = [];
  const ask = (question: Question) => {
    const reply = recording(question);
    if (reply === undefined) open.push(question);
    return Promise.resolve(reply?.answer ?? { notes: [] });
  };
  return await withStore(suite, { embedder, triggers, ask }, async (store) => {
    if (open.length > 0) return open;
    const context = { store, embedder, config };
    for (const [i, query] of suite.queries.entries()) {
      const asked = await questionsOf(query, contenders, context);
      const strategies = asked.filter((question) => recording(question) === undefined)
        .map(({ purpose }) => purpose);
      const { corpus, text } = await meet(query, context);
      const wanted = new Query(text, (text) => embedder.embed(text, "query"));
      open.push(...await wideQuestions(wanted, corpus, { now: store.now, strategies }));
      onProgress?.("Collecting", i + 1, suite.queries.length);
    }
    return open;
  });
}
