import assert from "node:assert/strict";
import { daysIn } from "../../src/surfaces/cli/shared/options.ts";
import { localTime } from "../../src/core/text/counted.ts";

function daysAgo(days: number): string {
  const now = new Date();
  return localTime(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12)).day;
}

const DAYS: readonly (readonly [text: string, from?: string, to?: string])[] = [
  ["2026-03-04", "2026-03-04", "2026-03-04"],
  ["2026-03", "2026-03-01", "2026-03-31"],
  ["2024-02", "2024-02-01", "2024-02-29"],
  ["2026", "2026-01-01", "2026-12-31"],
  ["0d", daysAgo(0), daysAgo(0)],
  ["7d", daysAgo(7), daysAgo(7)],
  ["2w", daysAgo(14), daysAgo(14)],
  ["2026-13"],
  ["2026-02-31"],
  ["12"],
  ["yesterday"],
  ["last week"],
  ["march"],
  [""],
];

Deno.test("daysIn() reads dates, months, years and times ago, and no words", () => {
  for (const [text, from, to] of DAYS) {
    assert.deepEqual(daysIn(text), from === undefined ? undefined : { from, to }, text);
  }
});
