import assert from "node:assert/strict";
import { parsePeriod, periodIn } from "../../src/text/period.ts";

/** A Saturday. */
const NOW = new Date(2026, 10, 21, 12);

const PERIODS: Readonly<Record<string, readonly [from: string, to: string] | undefined>> = {
  "2026-03-04": ["2026-03-04", "2026-03-04"],
  "2026-03": ["2026-03-01", "2026-03-31"],
  "03/2026": ["2026-03-01", "2026-03-31"],
  "2026": ["2026-01-01", "2026-12-31"],
  "March": ["2026-03-01", "2026-03-31"],
  "february 2024": ["2024-02-01", "2024-02-29"],
  "december": ["2025-12-01", "2025-12-31"],
  "november": ["2026-11-01", "2026-11-30"],
  "4 march": ["2026-03-04", "2026-03-04"],
  "March 4th, 2025": ["2025-03-04", "2025-03-04"],
  "late march": ["2026-03-21", "2026-03-31"],
  "end of february": ["2026-02-21", "2026-02-28"],
  "q1": ["2026-01-01", "2026-03-31"],
  "q4 2025": ["2025-10-01", "2025-12-31"],
  "today": ["2026-11-21", "2026-11-21"],
  "yesterday": ["2026-11-20", "2026-11-20"],
  "last week": ["2026-11-09", "2026-11-15"],
  "this week": ["2026-11-16", "2026-11-22"],
  "last month": ["2026-10-01", "2026-10-31"],
  "last year": ["2025-01-01", "2025-12-31"],
  "3 days ago": ["2026-11-18", "2026-11-18"],
  "last 2 weeks": ["2026-11-07", "2026-11-21"],
  "7d": ["2026-11-14", "2026-11-14"],
  "monday": ["2026-11-16", "2026-11-16"],
  "saturday": ["2026-11-14", "2026-11-14"],
  "März": ["2026-03-01", "2026-03-31"],
  "4 марта 2026": ["2026-03-04", "2026-03-04"],
  "letzte Woche": ["2026-11-09", "2026-11-15"],
  "3月": ["2026-03-01", "2026-03-31"],
  "三月": ["2026-03-01", "2026-03-31"],
  "2026年3月4日": ["2026-03-04", "2026-03-04"],
  "": undefined,
  "12": undefined,
  "soon": undefined,
  "2026-13": undefined,
  "31 february": undefined,
  "march of": undefined,
  "march march": undefined,
};

for (const [text, days] of Object.entries(PERIODS)) {
  Deno.test(`parsePeriod() reads "${text}" as ${days?.join(" to ") ?? "nothing"}`, () => {
    const [from, to] = days ?? [];
    assert.deepEqual(parsePeriod(text, NOW), days && { from, to });
  });
}

const QUESTIONS: Readonly<Record<string, readonly [period: string, rest: string] | undefined>> = {
  "What did we decide about the cache in March?": [
    "2026-03-01/2026-03-31",
    "What did we decide about the cache ?",
  ],
  "who broke the build on 2026-03-04, and why": [
    "2026-03-04/2026-03-04",
    "who broke the build and why",
  ],
  "what broke since monday": ["2026-11-16/9999-12-31", "what broke"],
  "which database before march": ["0000-01-01/2026-02-28", "which database"],
  "Was haben wir im März über den Cache beschlossen?": [
    "2026-03-01/2026-03-31",
    "Was haben wir über den Cache beschlossen?",
  ],
  "三月份我们对缓存做了什么决定": ["2026-03-01/2026-03-31", "我们对缓存做了什么决定"],
  "may we use redis": undefined,
  "march of the penguins": undefined,
  "in may we use redis": ["2026-05-01/2026-05-31", "we use redis"],
  "set the mar file to 2026": undefined,
  "why 60 requests": undefined,
};

for (const [question, asked] of Object.entries(QUESTIONS)) {
  Deno.test(`periodIn() finds ${asked?.[0] ?? "no period"} in "${question}"`, () => {
    const found = periodIn(question, NOW);
    const period = found && `${found.period.from}/${found.period.to}`;
    assert.deepEqual(
      [period, found?.rest],
      asked === undefined ? [undefined, undefined] : [...asked],
    );
  });
}
