import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { appendLine } from "../../src/core/files/jsonl.ts";
import { appendSuggestions, readSuggestions } from "../../src/core/memory/names.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("a log has two files of its size at most, however much is written", () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "log.jsonl");
  for (let i = 0; i < 1000; i++) appendLine(path, { text: "x".repeat(100) }, 10_000);
  const bytes = statSync(path).size + statSync(`${path}.1`).size;
  assert.ok(bytes <= 2 * 10_200, `${bytes} bytes`);
});

Deno.test("the suggested triggers keep the newest of each within a bound", () => {
  using temp = temporaryFolder();
  const wide = "x".repeat(2000);
  const triggers = join(temp.path, "triggers.jsonl");
  const suggestions = Array.from({ length: 6000 }, (_, i) => {
    return { key: `k${i}`, triggers: [wide], at: "2026-11-26T12:00:00Z" };
  });
  appendSuggestions(triggers, suggestions);
  assert.ok(statSync(triggers).size <= 4 * 1024 * 1024);
  const kept = readSuggestions(triggers);
  assert.ok(kept.has("k5999") && !kept.has("k0"));
});
