import assert from "node:assert/strict";
import fc from "fast-check";
import { seededRandom } from "../../bench/random.ts";
import { CompactBlock } from "../../src/core/index/compact_block.ts";
import { blockFor, LARGE, orCompact } from "../../src/core/index/passage_block.ts";
import { VectorBlock } from "../../src/core/index/vectors.ts";

/** No multiple of what is multiplied in one step. */
const WIDTH = 60;
/** What a byte a number may be off by, at its worst. */
const OFF = 0.02;
const TYPES = ["tool", "user", "decision"] as const;

function unit(seed: number): Float32Array {
  const random = seededRandom(seed + 1);
  const values = Float32Array.from({ length: WIDTH }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

const steps = fc.array(
  fc.record({ memory: fc.nat(40), seeds: fc.array(fc.nat(1000), { maxLength: 4 }) }),
  { maxLength: 200 },
);

Deno.test("a compact block finds what an exact one finds, through additions and removals", () => {
  fc.assert(fc.property(steps, fc.nat(1000), (steps, seed) => {
    const compact = CompactBlock.make(WIDTH)!, exact = new VectorBlock(WIDTH);
    for (const { memory, seeds } of steps) {
      const type = TYPES[memory % TYPES.length]!;
      for (const block of [compact, exact]) {
        block.remove(memory);
        seeds.forEach((seed, i) =>
          block.add({ memory, type, start: i, end: i === 0 ? 0 : i + 1, vector: unit(seed) })
        );
      }
    }
    assert.equal(compact.size, exact.size);
    const options = { limit: 1000, takes: (type: string) => type !== "user" };
    const byMemory = (block: typeof compact | typeof exact) =>
      new Map(block.search(unit(seed), options).map((hit) => [hit.memory, hit]));
    const found = byMemory(compact), wanted = byMemory(exact);
    assert.deepEqual([...found.keys()].sort(), [...wanted.keys()].sort());
    for (const [memory, hit] of found) {
      const { cosine, nearness, views } = wanted.get(memory)!;
      assert.ok(Math.abs(hit.cosine - cosine) < OFF && Math.abs(hit.nearness - nearness) < OFF);
      assert.equal(hit.views, views);
    }
  }));
});

Deno.test("a compact block gives the nearest so many, and those it is asked for besides", () => {
  const block = CompactBlock.make(WIDTH)!;
  // More than are compared at a time, and more than there is room for at first.
  for (let memory = 1; memory <= 10_000; memory++) {
    block.add({ memory, type: TYPES[memory % 3]!, start: 0, end: 1, vector: unit(memory) });
  }
  const query = unit(4711);
  const ranked = block.search(query, { limit: 10_000 }).sort((a, b) => b.cosine - a.cosine);
  assert.equal(ranked.length, 10_000);
  assert.equal(ranked[0]!.memory, 4711);
  const also = new Set([ranked[0]!.memory, ranked[9000]!.memory]);
  const found = block.search(query, { limit: 5, also });
  assert.deepEqual(
    new Set(found.map(({ memory }) => memory)),
    new Set([...ranked.slice(0, 5).map(({ memory }) => memory), ...also]),
  );
});

Deno.test("a block becomes compact when it has become large, and has the same passages", () => {
  const block = blockFor(WIDTH, 10);
  assert.ok(block.isExact);
  const add = (memory: number) =>
    block.add({ memory, type: "tool", start: 3, end: 9, vector: unit(memory) });
  for (let memory = 1; memory <= LARGE; memory++) add(memory);
  assert.equal(orCompact(block), block);
  add(LARGE + 1);
  block.remove(2);
  add(LARGE + 2);
  const compact = orCompact(block);
  assert.ok(!compact.isExact && blockFor(WIDTH, LARGE + 1) instanceof CompactBlock);
  assert.equal(compact.size, LARGE + 1);
  assert.ok(compact.bytes < block.bytes / 3);
  const [hit] = compact.search(unit(12), { limit: 1 });
  assert.deepEqual([hit!.memory, hit!.start, hit!.end], [12, 3, 9]);
});
