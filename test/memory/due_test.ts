import assert from "node:assert/strict";
import { passedDay } from "../../src/core/memory/age.ts";

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
  assert.equal(dayOf("The fair is on 7 January", "2026-11-20", "2027-02-01"), "7 January");
});

const NOT_DUE: Readonly<Record<string, readonly string[]>> = {
  "that something begins on": [
    "Since 12 March we deploy on Mondays",
    "From the 12th of March we deploy on Mondays",
    "Effective 2026-07-21, nightly builds run on the new runner",
    "Effective Tuesday, 2026-07-21, nightly builds run on the new runner",
    "Starting on 2026-07-21, nightly builds run on the new runner",
    "The new rate is in force from 2026-07-21",
    "The tariff comes into effect on 21 July",
    "The summer schedule begins on 15 June",
    "Ab dem 3. August gilt der neue Tarif",
    "Der neue Tarif gilt ab Montag, 3. August",
    "Die Regel tritt am 3. August in Kraft",
    "Desde el 5 de mayo se usa pnpm",
    "À partir du 3 août on utilise pnpm",
    "We use the new runner, 2026-07-21 onwards",
  ],
  "not after that of writing": [
    "Decided on 2026-01-01 to use bun",
    "The licence was ordered on 2026-02-01",
    "The licence was ordered on 1 February",
    "The licence was ordered on 20 January",
  ],
  "that is none": ["Ask 5 mariners, or use at least 12 characters"],
};

for (const [kind, texts] of Object.entries(NOT_DUE)) {
  Deno.test(`A day ${kind} is not due`, () => {
    const due = texts.filter((text) => dayOf(text, "2026-02-01", "2027-06-01") !== undefined);
    assert.deepEqual(due, []);
  });
}

Deno.test("The day of writing is that of the writer's clock", () => {
  const text = "The licence was ordered on 2026-08-30";
  for (const hour of [0, 12, 23]) {
    const written = new Date(2026, 7, 30, hour, 30).toISOString();
    assert.equal(dayOf(text, written, "2026-11-01"), undefined, written);
  }
});
