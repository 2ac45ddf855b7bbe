import assert from "node:assert/strict";
import { freeNumber } from "../../src/core/memory/title.ts";

Deno.test("freeNumber() is the first free number, and asks for few of thousands", () => {
  for (const count of [0, 1, 2, 3, 7, 8, 100, 3000]) {
    let asked = 0;
    const found = freeNumber((n) => (asked++, n <= count));
    assert.equal(found, count + 1);
    assert.ok(asked <= 30, `${asked} for ${count}`);
  }
});

Deno.test("freeNumber() is free where there are gaps, too", () => {
  const taken = new Set([1, 2, 3, 4, 6, 9, 16, 17]);
  assert.equal(taken.has(freeNumber((n) => taken.has(n))), false);
});
