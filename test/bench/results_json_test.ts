import assert from "node:assert/strict";
import fc from "fast-check";
import { resultsJson } from "../../bench/results_json.ts";

Deno.test("resultsJson() spreads down to a depth, and writes one line for what lies below", () => {
  const value = {
    suite: "s",
    ranks: { q1: { a: 1, b: null }, q2: {} },
    unset: undefined,
    list: [],
  };
  assert.equal(
    resultsJson(value, 2),
    `{
  "suite": "s",
  "ranks": {
    "q1": {"a":1,"b":null},
    "q2": {}
  },
  "list": []
}
`,
  );
});

Deno.test("resultsJson() gives each field the depth that is named for it, and one line to the others", () => {
  const value = { ranks: { q1: { a: 1 } }, rows: [{ x: [1] }], machine: { cpu: "c" } };
  assert.equal(
    resultsJson(value, { ranks: 1, rows: 2 }),
    `{
  "ranks": {
    "q1": {"a":1}
  },
  "rows": [
    {
      "x": [1]
    }
  ],
  "machine": {"cpu":"c"}
}
`,
  );
});

Deno.test("resultsJson() is JSON of the same value, whatever the depth", () => {
  const plain = [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)];
  const whole = fc.array(fc.object({ values: plain }));
  fc.assert(fc.property(whole, fc.nat(5), (value, depth) => {
    assert.deepEqual(JSON.parse(resultsJson(value, depth)), value);
  }));
});
