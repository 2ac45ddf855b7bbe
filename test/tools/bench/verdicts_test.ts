// Recorded replies and verdicts: they answer the product's own question after a change of ranking, and never where a note
// is new.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repliesTo, writeQuestion } from "../../../tools/bench/questions.ts";
import { keyOf, readReplies, recorded } from "../../../tools/bench/recording.ts";
import { readVerdicts } from "../../../tools/bench/verdicts.ts";
import { temporaryFolder } from "../../support/temp.ts";

const hash = (text: string, length: number) =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

function questionWith(names: readonly string[], request = "ship it") {
  const notes = names.map((name) => `- ${name} (tool, 3 days old): Release (of kiln) by tag`);
  return { system: "Judge.", prompt: `Notes:\n${notes.join("\n")}\n\nRequest:\n${request}` };
}

Deno.test("a verdict on a long list answers a question with some of its notes in another order", () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "recording.jsonl");
  const names = ["tool_a.md", "tool_b.md", "tool_c.md", "user/tool_a.md"];
  const key = hash(JSON.stringify(["Judge.", "Request:\nship it"]), 32);
  const by = { model: "written for the test", at: "2026-11-21" };
  const lines = [
    { list: "all", notes: names.map((name) => hash(name, 8)) },
    { key, shown: "all", picked: ["tool_c.md", "tool_a.md"], ...by },
  ];
  writeFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  const verdicts = readVerdicts(path);
  const picked = (names: readonly string[], request?: string) =>
    verdicts.answerTo(questionWith(names, request))?.answer;
  assert.deepEqual(picked(["tool_a.md", "tool_b.md", "tool_c.md"]), {
    selected_memories: ["tool_c.md", "tool_a.md"],
  });
  assert.deepEqual(picked(["tool_b.md", "tool_a.md"]), { selected_memories: ["tool_a.md"] });
  assert.deepEqual(picked(["tool_b.md"]), { selected_memories: [] });

  assert.equal(picked(["tool_a.md", "tool_new.md"]), undefined);
  assert.equal(picked(["tool_a.md"], "ship that"), undefined);
  const other = { ...questionWith(["tool_a.md"]), system: "Choose." };
  assert.equal(verdicts.answerTo(other), undefined);
  assert.ok(verdicts.answerTo(questionWith(["tool_a.md"]))!.usd! > 0);
});

Deno.test("a question is written once, and its reply becomes a line of the recording if it is an object", () => {
  using temp = temporaryFolder();
  const schema = { type: "object" };
  const keys = ["one", "two", "three"].map((prompt) => keyOf("Judge.", prompt, schema));
  const write = (prompt: string) =>
    writeQuestion(temp.path, keys[0]!, { texts: ["Judge.", prompt], schema });
  write("one");
  write("changed");
  for (const key of keys.slice(1)) writeQuestion(temp.path, key, { texts: [], schema });
  writeFileSync(join(temp.path, `${keys[0]}.reply`), 'Sure: {"n": 1}');
  writeFileSync(join(temp.path, `${keys[1]}.reply`), "none");
  const replies = repliesTo(temp.path);
  assert.deepEqual(new Set(replies.keys()), new Set(keys));
  assert.equal(replies.get(keys[2]!), undefined);

  const by = { model: "written for the test", at: "2026-11-21" };
  const line = (key: string) => recorded({ key, text: replies.get(key)!, ...by });
  assert.equal(line(keys[1]!), undefined);
  const path = join(temp.path, "recording.jsonl");
  writeFileSync(path, JSON.stringify(line(keys[0]!)) + "\n");
  assert.deepEqual(readReplies(path).get(keys[0]!)?.answer, { n: 1 });
});
