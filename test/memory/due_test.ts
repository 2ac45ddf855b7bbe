import assert from "node:assert/strict";
import { passedDay } from "../../src/memory/due.ts";

const dayOf = (body: string, written: string, now: string) =>
  passedDay(
    { name: "n", body, created: written, updated: undefined, mtimeMs: 0 },
    new Date(`${now}T12:00:00Z`),
  );

Deno.test("A day that a note looks forward to has passed on the day after it, in any language", () => {
  const demo = "The demo for Lindqvist is on 12 December";
  assert.equal(dayOf(demo, "2026-11-01", "2026-12-12"), undefined);
  assert.equal(dayOf(demo, "2026-11-01", "2026-12-13"), "12 December");
  for (
    const [text, day] of [
      ["Die Abgabe ist am 3. März 2026", "3. März 2026"],
      ["La entrega es el 5 de mayo", "5 de mayo"],
      ["La livraison est le 3 août", "3 août"],
      ["Freeze until March 4th, 2026", "March 4th, 2026"],
      ["The sprint ends 2026-03-01", "2026-03-01"],
    ] as const
  ) assert.equal(dayOf(text, "2026-01-02", "2026-11-01"), day);
});

Deno.test("What began on a day, was written after it, or is no day is not due", () => {
  for (
    const text of [
      "Since 12 March we deploy on Mondays",
      "Decided on 2026-01-01 to use bun",
      "Ask 5 mariners, or use at least 12 characters",
    ]
  ) assert.equal(dayOf(text, "2026-02-01", "2026-11-01"), undefined, text);
});
