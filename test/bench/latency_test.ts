import assert from "node:assert/strict";
import fc from "fast-check";
import { binsOf, spreadOf } from "../../bench/latency.ts";

Deno.test("Percentiles are values that were measured, by nearest rank", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.deepEqual(spreadOf(hundred), { n: 100, min: 1, p50: 50, p95: 95, p99: 99, max: 100 });
  assert.deepEqual(spreadOf([7]), { n: 1, min: 7, p50: 7, p95: 7, p99: 7, max: 7 });
  assert.equal(spreadOf([1, 2, 3, 10]).p99, 10);
});

Deno.test("A histogram has every value in exactly one bin, and bins touch", () => {
  const times = fc.array(fc.double({ min: 0.1, max: 5000, noNaN: true }), { minLength: 1 });
  fc.assert(fc.property(times, (samples) => {
    const bins = binsOf(samples, 8);
    assert.equal(bins.reduce((sum, { count }) => sum + count, 0), samples.length);
    assert.equal(bins[0]!.from, Math.min(...samples));
    assert.ok(bins.at(-1)!.to >= Math.max(...samples) - 1e-6);
    for (const [i, bin] of bins.slice(1).entries()) {
      assert.ok(Math.abs(bin.from - bins[i]!.to) < 1e-6);
    }
  }));
});
