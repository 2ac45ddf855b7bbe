import assert from "node:assert/strict";
import { passedDay } from "../../src/core/memory/age.ts";
import { readRows } from "../support/fixtures.ts";

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
