import assert from "node:assert/strict";
import fc from "fast-check";
import { pairedRandomisation } from "../../bench/significance.ts";

const pairs = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  { minLength: 1, maxLength: 30 },
);
const quick = { permutations: 500 };

Deno.test("p is a probability, never 0, and the same each time", () => {
  fc.assert(fc.property(pairs, (values) => {
    const a = values.map(([x]) => x), b = values.map(([, y]) => y);
    const { p } = pairedRandomisation(a, b, quick);
    assert.ok(p > 0 && p <= 1);
    assert.equal(pairedRandomisation(a, b, quick).p, p);
  }));
});

Deno.test("With few queries p is near the share of sign patterns that are as extreme", () => {
  // Five equal wins: of the 32 patterns of signs only the two uniform ones reach the sum.
  const { p } = pairedRandomisation([1, 1, 1, 1, 1], [0, 0, 0, 0, 0]);
  assert.ok(Math.abs(p - 2 / 32) < 0.01, String(p));
  // 3 − 1 − 1: the sums of all eight patterns, ±1, ±3 and ±5, are at least that large.
  const mixed = pairedRandomisation([3, 0, 0], [0, 1, 1]);
  assert.equal(mixed.p, 1);
});

Deno.test("A steady gain over many queries is not chance, and scattered ones are", () => {
  const base = Array.from({ length: 60 }, (_, i) => (i * 37 % 60) / 60);
  assert.ok(pairedRandomisation(base.map((value) => value + 0.05), base).p < 0.001);
  const scattered = base.map((value, i) => value + (i % 2 === 0 ? 0.3 : -0.29));
  assert.ok(pairedRandomisation(scattered, base).p > 0.3);
});
