// The triggers that a language model wrote for the notes of the suite `typed`, recorded as memo keeps them itself, so
// that they count in stores of every size, whichever notes memo would ask about together.

import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { keyOf } from "../../../bench/recording.ts";
import { askedIn, writeQuestions } from "../../../bench/question_files.ts";
import type { World } from "../sessions/world.ts";
import { readJsonLines } from "../../../bench/suite.ts";
import { parseJson } from "../../../src/llm/parse_json.ts";
import type { Suggestion } from "../../../src/memory/suggested.ts";
import { enrich, withFewTriggers } from "../../../src/upkeep/enrich.ts";
import type { Question } from "../../../strategies/strategy.ts";

/** Gives a world the recorded triggers, before its notes are indexed. */
export function giveTriggers({ engine }: World, recording: string): void {
  mkdirSync(dirname(engine.paths.triggers), { recursive: true });
  copyFileSync(recording, engine.paths.triggers);
}

/** Throws where notes of a project have no recorded triggers. */
export async function checkTriggers({ engine, sync }: World, project: string): Promise<void> {
  const { folders } = await sync(project);
  const suggestions = engine.paths.triggers;
  const left = await engine.withIndex((index) => withFewTriggers({ index, folders, suggestions }));
  if (left.length === 0) return;
  throw new Error(
    `${left.length} notes of ${project} have no recorded triggers, as "${left[0]!.name}". ` +
      "`deno task lab growth --triggers FOLDER` writes the questions",
  );
}

/** What was asked about a project's notes by files. */
export interface Asked {
  /** Questions without a reply. */
  readonly open: number;
  readonly suggested: readonly Suggestion[];
}

/**
 * Asks for the triggers of a project's notes as memo does, by files: each question is written to `folder`, and answered
 * by the reply that lies beside it.
 */
export async function askForTriggers(
  { engine, sync }: World,
  project: string,
  folder: string,
): Promise<Asked> {
  const { folders } = await sync(project);
  const suggestions = engine.paths.triggers;
  const open: Question[] = [];
  const replies = repliesIn(folder);
  const before = suggestionsIn(suggestions).length;
  await engine.withIndex((index) =>
    enrich({
      ...{ index, folders, suggestions, now: new Date() },
      ask: (question) => {
        const reply = replies.get(keyOf(question));
        if (reply === undefined) open.push(question);
        return Promise.resolve(reply ?? { notes: [] });
      },
    })
  );
  writeQuestions(folder, { set: "triggers", questions: open });
  return { open: open.length, suggested: suggestionsIn(suggestions).slice(before) };
}

function suggestionsIn(path: string): Suggestion[] {
  return existsSync(path) ? readJsonLines<Suggestion>(path) : [];
}

/** The replies that lie beside questions, by their key. */
function repliesIn(folder: string): Map<string, unknown> {
  return new Map(
    askedIn(folder).flatMap(({ asked, reply }) =>
      reply === undefined ? [] : [[asked.key, parseJson(reply)] as const]
    ),
  );
}
