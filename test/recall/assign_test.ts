import assert from "node:assert/strict";
import { loadConfig } from "../../src/core/settings/config.ts";
import { assign } from "../../src/core/recall/assign.ts";
import { STRATEGIES } from "../../strategies/mod.ts";

/** Which types each strategy ranks, under settings from the environment and `perType`. */
function assigned(env: Record<string, string>, perType: Record<string, string> = {}) {
  const config = loadConfig("/nowhere/config.yaml", env, { strategies: STRATEGIES });
  const settings = { ...config, perType: { ...config.perType, ...perType } };
  return assign(settings).map(({ strategy, filter }) => [strategy.name, filter]);
}

Deno.test("types that share a strategy are ranked by one call, and the rest by that of `*`", () => {
  assert.deepEqual(assigned({}), [
    ["hybrid", { types: ["progress", "context"], except: true }],
    ["recency", { types: ["progress", "context"] }],
  ]);
  assert.deepEqual(assigned({}, { "strategy.feedback": "sidequery" }), [
    ["hybrid", { types: ["feedback", "progress", "context"], except: true }],
    ["sidequery", { types: ["feedback"] }],
    ["recency", { types: ["progress", "context"] }],
  ]);
});

Deno.test("one strategy for all is one call over all", () => {
  assert.deepEqual(assigned({ MEMO_STRATEGY: "keyword" }), [["keyword", undefined]]);
});

Deno.test("a type of the user's own has its own strategy", () => {
  const calls = assigned({}, { "strategy.recipe": "keyword" });
  assert.deepEqual(calls.find(([name]) => name === "keyword"), ["keyword", { types: ["recipe"] }]);
});
