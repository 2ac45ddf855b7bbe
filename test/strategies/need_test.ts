import assert from "node:assert/strict";
import { adjusted, barOf, FORMS, type RecallForm } from "../../src/core/recall/adjust.ts";
import { BASE, FEATURES, needOf, probability, strongestOf } from "../../strategies/need.ts";
import WEIGHTS from "../../strategies/need.json" with { type: "json" };
import { STRATEGIES } from "../../strategies/mod.ts";
import type { Hit, Strategy } from "../../strategies/strategy.ts";
import { corpusOf, options, QUERIES, query } from "./notes.ts";

Deno.test("need.json has a weight for each feature of each strategy, and no other", () => {
  for (const [strategy, weights] of Object.entries(WEIGHTS)) {
    const features = FEATURES[strategy as keyof typeof FEATURES];
    assert.deepEqual(Object.keys(weights), [BASE, ...features]);
  }
});

Deno.test("a score is the probability whose log-odds are the sum that is told with it", async () => {
  await using made = await corpusOf();
  let told = 0;
  const local: readonly Strategy[] = STRATEGIES.filter(({ cost }) => cost === "local");
  for (const strategy of local) {
    for (const text of QUERIES) {
      const hits: readonly Hit[] = await strategy.rank(query(text), made.corpus, options(10));
      for (const hit of hits) {
        for (const { score, sum } of [hit, adjusted(hit, "follow-up")]) {
          if (sum === undefined) continue;
          assert.ok(Math.abs(score - probability(sum)) < 1e-9);
          told++;
        }
      }
    }
  }
  assert.ok(told > 0);
});

Deno.test("more of what speaks for a memory makes it likelier that it is needed, less of it less likely", () => {
  const features = Object.fromEntries(FEATURES.hybrid.map((name) => [name, 0.5]));
  const by = (name: string) => needOf("hybrid", { ...features, [name]: 1 }).score;
  const { score } = needOf("hybrid", features);
  for (const name of ["words", "rare words", "exact identifier", "meaning"]) {
    assert.ok(by(name) > score, name);
  }
  for (const name of ["size of the store", "another is nearer", "fewer words than another"]) {
    assert.ok(by(name) < score, name);
  }
});

Deno.test("strongestOf() names the two features that speak most for a memory", () => {
  const sum = { [BASE]: -2, meaning: 1, "rare words": 2, words: 0.5, "size of the store": -3 };
  assert.deepEqual(strongestOf(sum), ["rare words", "meaning"]);
});

Deno.test("forms keep their order at any threshold, and text comes at the threshold itself", () => {
  const forms = Object.keys(FORMS) as RecallForm[];
  for (const threshold of [0.05, 0.1, 0.35, 0.6, 0.95]) {
    assert.equal(barOf("text", threshold), threshold);
    const bars = forms.map((form) => barOf(form, threshold));
    assert.ok(bars.every((bar) => bar >= 0 && bar <= 1), `${bars}`);
    assert.ok(barOf("title", threshold) <= threshold && threshold <= barOf("certain", threshold));
  }
});
