import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { appendLine } from "../../src/files/jsonl.ts";
import { noteLevel, readLevels } from "../../src/memory/escalation.ts";
import { appendSuggestions, readSuggestions } from "../../src/memory/suggested.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("a log has two files of its size at most, however much is written", () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "log.jsonl");
  for (let i = 0; i < 1000; i++) appendLine(path, { text: "x".repeat(100) }, 10_000);
  const bytes = statSync(path).size + statSync(`${path}.1`).size;
  assert.ok(bytes <= 2 * 10_200, `${bytes} bytes`);
});

Deno.test("the levels of rules and the suggested triggers keep the newest of each within a bound", () => {
  using temp = temporaryFolder();
  const levels = join(temp.path, "rungs.jsonl");
  const wide = "x".repeat(2000);
  for (let i = 0; i < 600; i++) {
    const at = new Date(i * 1000).toISOString();
    noteLevel(levels, { path: `/${i % 50}.md`, key: `${i}${wide}`, rung: "prompt", at });
  }
  assert.ok(statSync(levels).size <= 512 * 1024);
  assert.equal(readLevels(levels).size, 50);
  assert.match(readLevels(levels).get("/49.md")!.key, /^599x/);

  const triggers = join(temp.path, "triggers.jsonl");
  const suggestions = Array.from({ length: 6000 }, (_, i) => {
    return { key: `k${i}`, triggers: [wide], at: "2026-11-26T12:00:00Z" };
  });
  appendSuggestions(triggers, suggestions);
  assert.ok(statSync(triggers).size <= 4 * 1024 * 1024);
  const kept = readSuggestions(triggers);
  assert.ok(kept.has("k5999") && !kept.has("k0"));
});
