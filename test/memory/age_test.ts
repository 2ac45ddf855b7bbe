import assert from "node:assert/strict";
import { ageInDays, confidenceNow, passedDay } from "../../src/core/memory/age.ts";
import { readRows } from "../support/fixtures.ts";

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

const dayOf = (body: string, written: string, now: string) =>
  passedDay(
    { name: "n", body, created: written, updated: undefined, mtimeMs: 0 },
    new Date(`${now}T12:00:00Z`),
  );

Deno.test("A day that a note looks forward to has passed on the day after it, in any language", () => {
  const demo = "The demo for Lindqvist is on 12 December";
  assert.equal(dayOf(demo, "2026-11-01", "2026-12-12"), undefined);
  assert.equal(dayOf(demo, "2026-11-01", "2026-12-13"), "12 December");
  for (const [text = "", day] of readRows("memory/due.tsv")) {
    assert.equal(dayOf(text, "2026-01-02", "2026-11-01"), day);
  }
  assert.equal(dayOf("The fair is on 7 January", "2026-11-20", "2027-02-01"), "7 January");
});

for (const [kind, text] of readRows("memory/not_due.tsv")) {
  Deno.test(`A day ${kind} is not due: ${text}`, () => {
    assert.equal(dayOf(text!, "2026-02-01", "2027-06-01"), undefined);
  });
}

Deno.test("The day of writing is that of the writer's clock", () => {
  const text = "The licence was ordered on 2026-08-30";
  for (const hour of [0, 12, 23]) {
    const written = new Date(2026, 7, 30, hour, 30).toISOString();
    assert.equal(dayOf(text, written, "2026-11-01"), undefined, written);
  }
});
