import assert from "node:assert/strict";
import { meanMeasures, MEASURES } from "../../bench/metrics.ts";

/** Rankings, and the value of each of `MEASURES` in its order, worked out by hand from trec_eval's definitions. */
const GOLDEN = [
  {
    what: "one relevant document in third place",
    ranking: ["a", "b", "c", "d"],
    grades: { c: 1 },
    expect: [0, 1, 1, 1, 1 / 3, 1 / Math.log2(4)],
  },
  {
    // gains are the grades: (2/log2 3 + 1/log2 5) over the ideal order 3, 2, 1
    what: "graded judgements, one of them not found, unjudged documents between",
    ranking: ["x", "two", "y", "one"],
    grades: { two: 2, one: 1, missing: 3, wrong: 0 },
    expect: [
      0,
      2 / 3,
      2 / 3,
      1,
      1 / 2,
      (2 / Math.log2(3) + 1 / Math.log2(5)) / (3 + 2 / Math.log2(3) + 1 / 2),
    ],
  },
  {
    what: "the relevant document beyond the tenth place",
    ranking: Array.from({ length: 12 }, (_, i) => `d${i + 1}`),
    grades: { d11: 1 },
    expect: [0, 0, 0, 0, 0, 0],
  },
  {
    what:
      "twelve relevant documents, eleven of them at the top: the ideal list is cut at ten as well",
    ranking: Array.from({ length: 11 }, (_, i) => `d${i + 1}`),
    grades: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`d${i + 1}`, 1])),
    expect: [1 / 12, 5 / 12, 10 / 12, 1, 1, 1],
  },
  {
    what: "a grade below zero is neither relevant nor a loss",
    ranking: ["spam", "good"],
    grades: { spam: -2, good: 1 },
    expect: [0, 1, 1, 1, 1 / 2, 1 / Math.log2(3)],
  },
  {
    what: "nothing found",
    ranking: [],
    grades: { a: 1 },
    expect: [0, 0, 0, 0, 0, 0],
  },
] as const;

for (const { what, ranking, grades, expect } of GOLDEN) {
  Deno.test(`The measures are trec_eval's: ${what}`, () => {
    const judged = { ranking, grades: new Map<string, number>(Object.entries(grades)) };
    for (const [i, [name, measure]] of Object.entries(MEASURES).entries()) {
      assert.ok(Math.abs(measure(judged) - expect[i]!) < 1e-12, `${name}: ${measure(judged)}`);
    }
  });
}

Deno.test("meanMeasures() weighs every query the same", () => {
  const first = { ranking: ["a"], grades: new Map([["a", 1]]) };
  const never = { ranking: ["b"], grades: new Map([["a", 1], ["c", 3]]) };
  assert.equal(meanMeasures([first, never, never, never])["MRR@10"], 0.25);
});
