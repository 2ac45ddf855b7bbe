import assert from "node:assert/strict";
import { confidenceNow } from "../../src/memory/age.ts";

Deno.test("What a model has concluded fades in thirty days, and what was said does not", () => {
  const now = new Date("2026-11-01");
  const note = { created: undefined, updated: "2026-10-17", mtimeMs: 0, confidence: 1 };
  const concluded = { ...note, tags: ["concluded"] };
  assert.equal(confidenceNow(note, null, now), 1);
  assert.equal(confidenceNow(concluded, null, now), 0.5);
  assert.equal(confidenceNow({ ...concluded, updated: "2026-09-01" }, 90, now), 0);
  assert.equal(confidenceNow({ ...note, tags: ["confirmed"] }, null, now), 1);
});
