import { Query } from "../../../src/index/query.ts";
import { memoryFolders, placeIn } from "../../../src/memory/scopes.ts";
import { queryText } from "../../../src/recall/query_text.ts";
import type { Question } from "../../../strategies/strategy.ts";
import { listingOf, type Texts } from "../../../bench/verdicts.ts";
import { wideQuestions } from "../wide_questions.ts";
import type { Prompt } from "../sessions/serve.ts";
import type { World } from "../sessions/world.ts";

export interface WideOptions {
  /** What was asked and had no recorded reply. */
  readonly open: ReadonlyMap<string, Texts>;
  readonly strategy: string;
  readonly now: Date;
}

/** The wide questions in place of those that a strategy asked in a world and that had no recorded reply. */
export async function wideOf(
  prompts: readonly Prompt[],
  { engine, claude, project }: World,
  { open, strategy, now }: WideOptions,
): Promise<Question[]> {
  const keys = new Set([...open.values()].flatMap((texts) => listingOf(texts)?.key ?? []));
  if (keys.size === 0) return [];
  const embedder = await engine.embedder();
  const embed = (text: string) => embedder.embed(text, "query");
  const questions: Question[] = [];
  for (const prompt of prompts) {
    const folders = memoryFolders(placeIn({ ...engine.paths, claude }, project(prompt.project)));
    const query = new Query(queryText(prompt.text), embed);
    const wide = await engine.withIndex(async (index) => {
      const corpus = await index.corpus(folders);
      return await wideQuestions(query, corpus, { now, strategies: [strategy] });
    });
    questions.push(...wide.filter((question) => keys.has(listingOf(question)!.key)));
  }
  return questions;
}
