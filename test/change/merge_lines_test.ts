import assert from "node:assert/strict";
import { mergeLines } from "../../src/core/change/merge.ts";

const line = (id: string, at: string) => JSON.stringify({ id, at }) + "\n";

Deno.test("two logs are merged by their times, and each keeps its order where its clock was set back", () => {
  const base = line("a", "2026-01-01");
  const ours = base + line("b", "2026-03-01") + line("c", "2025-03-01");
  const theirs = base + line("d", "2026-02-01") + line("e", "2026-04-01");
  const ids = (text: string) => [...text.matchAll(/"id":"(.)"/g)].map(([, id]) => id).join("");
  assert.equal(ids(mergeLines({ base, ours, theirs })), "adbce");
  assert.equal(ids(mergeLines({ base, ours: theirs, theirs: ours })), "adbce");
});
