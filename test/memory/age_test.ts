import assert from "node:assert/strict";
import { ageInDays, confidenceNow } from "../../src/core/memory/age.ts";

Deno.test("What a model has concluded fades in thirty days, and what was said does not", () => {
  const now = new Date("2026-11-01");
  const note = { created: undefined, updated: "2026-10-17T00:00:00Z", mtimeMs: 0, confidence: 1 };
  const concluded = { ...note, tags: ["concluded"] };
  assert.equal(confidenceNow(note, null, now), 1);
  assert.equal(confidenceNow(concluded, null, now), 0.5);
  assert.equal(confidenceNow({ ...concluded, updated: "2026-09-01" }, 90, now), 0);
  assert.equal(confidenceNow({ ...note, tags: ["confirmed"] }, null, now), 1);
});

Deno.test("an age counts the days of the calendar, by the local clock", () => {
  const now = new Date(2026, 10, 21, 8, 5);
  const cases: readonly (readonly [changed: Date, days: number])[] = [
    [new Date(2026, 10, 21, 0, 1), 0],
    [new Date(2026, 10, 20, 23, 57), 1],
    [new Date(2026, 10, 20, 0, 1), 1],
    [new Date(2026, 9, 21, 23, 0), 31], // over a change of the clock in many places
    [new Date(2026, 10, 22, 0, 1), 0],
  ];
  for (const [changed, days] of cases) {
    const note = { created: changed.toISOString(), updated: undefined, mtimeMs: 0 };
    assert.equal(ageInDays(note, now), days, changed.toString());
  }
  const today = { created: "2026-11-21", updated: undefined, mtimeMs: 0 };
  assert.equal(ageInDays(today, now), 0, "a date alone is a day here");
});
