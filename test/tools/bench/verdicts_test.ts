// Recorded verdicts: they answer the product's own question after a change of ranking, and never where a note is new.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Asked, ASKED_FILE, writeQuestions } from "../../../bench/question_files.ts";
import { linesFor } from "../../../tools/bench/recorded_lines.ts";
import { keyOf, readRecording } from "../../../bench/recording.ts";
import { readJsonLines } from "../../../bench/suite.ts";
import { listingOf } from "../../../bench/verdicts.ts";
import type { Question } from "../../../strategies/strategy.ts";
import { temporaryFolder } from "../../support/temp.ts";

function questionWith(names: readonly string[], request = "ship it"): Question {
  const notes = names.map((name) => `- ${name} (tool, 3 days old): Release (of kiln) by tag`);
  return {
    purpose: "verify",
    system: "Judge.",
    prompt: `Notes:\n${notes.join("\n")}\n\nRequest:\n${request}`,
    schema: { type: "object" },
    maxTokens: 256,
  };
}

const OTHER: Question = { ...questionWith([]), purpose: "enrich", prompt: "Write prompts." };
const WIDE = ["tool_a.md", "tool_b.md", "tool_c.md", "user/tool_a.md"];

/** Writes questions, answers each file, and returns the recording. */
function record(
  folder: string,
  { questions, replies }: { questions: readonly Question[]; replies: readonly string[] },
) {
  writeQuestions(folder, { set: "verify", questions });
  const asked = readJsonLines<Asked>(join(folder, ASKED_FILE));
  const answered = asked.map((asked, i) => ({ asked, reply: replies[i]! }));
  const made = linesFor(answered, { model: "written for the test", at: "2026-11-21", before: [] });
  const path = join(folder, "recording.jsonl");
  writeFileSync(path, made.lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return { recording: readRecording(path), faults: made.faults };
}

Deno.test("a verdict on a long list answers a question with some of its notes in another order", () => {
  using temp = temporaryFolder();
  const { recording, faults } = record(temp.path, {
    questions: [questionWith(WIDE), OTHER],
    replies: ['Sure: {"selected_memories": ["tool_c.md", "tool_a.md"]}', '{"notes": []}'],
  });
  assert.deepEqual(faults, []);
  const answerTo = (question: Question) => recording(question)?.answer;
  assert.deepEqual(answerTo(questionWith(["tool_a.md", "tool_b.md", "tool_c.md"])), {
    selected_memories: ["tool_c.md", "tool_a.md"],
  });
  assert.deepEqual(answerTo(questionWith(["tool_b.md", "tool_a.md"])), {
    selected_memories: ["tool_a.md"],
  });
  assert.deepEqual(answerTo(questionWith(["tool_b.md"])), { selected_memories: [] });
  assert.deepEqual(answerTo(OTHER), { notes: [] });

  assert.equal(answerTo(questionWith(["tool_a.md", "tool_new.md"])), undefined);
  assert.equal(answerTo(questionWith(["tool_a.md"], "ship that")), undefined);
  assert.equal(answerTo({ ...questionWith(["tool_a.md"]), system: "Choose." }), undefined);
  assert.ok(recording(questionWith(["tool_a.md"]))!.usd! > 0);
});

Deno.test("a reply that names what was not shown, or has another form, is a fault and not recorded", () => {
  using temp = temporaryFolder();
  const { recording, faults } = record(temp.path, {
    questions: [questionWith(WIDE), questionWith(WIDE, "and this"), OTHER],
    replies: ['{"selected_memories": ["tool_z.md", "tool_b.md"]}', "[]", "none"],
  });
  assert.match(faults.join("\n"), /001: made up tool_z\.md\nverify\/002.*\nverify\/003/);
  assert.deepEqual(recording(questionWith(["tool_b.md"]))!.answer, {
    selected_memories: ["tool_b.md"],
  });
  assert.equal(recording(questionWith(["tool_b.md"], "and this")), undefined);
});

Deno.test("questions that begin alike share a file of what they begin with, and keep their own request", () => {
  using temp = temporaryFolder();
  const questions = [questionWith(WIDE), questionWith(WIDE, "sube la versión"), OTHER];
  writeQuestions(temp.path, { set: "verify", questions });
  const text = (name: string) => readFileSync(join(temp.path, "verify", name), "utf8");
  assert.match(text("list-1.txt"), /^Judge\.\n[^]*- user\/tool_a\.md \(tool/);
  assert.match(text("002.txt"), /list-1\.txt[^]*Request:\nsube la versión\n[^]*"object"/);
  assert.doesNotMatch(text("002.txt"), /tool_a/);
  assert.match(text("003.txt"), /^Judge\.[^]*Write prompts\./);
  const asked = readJsonLines<Asked>(join(temp.path, ASKED_FILE));
  assert.deepEqual(asked.map(({ key }) => key), [
    listingOf(questions[0]!)!.key,
    listingOf(questions[1]!)!.key,
    keyOf(OTHER),
  ]);
});
