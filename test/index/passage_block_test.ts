import assert from "node:assert/strict";
import fc from "fast-check";
import { PassageBlock } from "../../src/core/index/folder_vectors.ts";

/** No multiple of what is multiplied in one step. */
const WIDTH = 10;
const unit = (seed: number): Float32Array => {
  const vector = Float32Array.from(
    { length: WIDTH },
    (_, i) => Math.sin(seed * 12.9898 + i * 78.233),
  );
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
};
const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);

Deno.test("search() finds each memory's best passage, through additions and removals", () => {
  const memory = fc.record({ memory: fc.nat(30), seeds: fc.array(fc.nat(1000), { maxLength: 4 }) });
  fc.assert(fc.property(fc.array(memory, { maxLength: 200 }), fc.nat(1000), (steps, seed) => {
    const block = new PassageBlock(WIDTH, 1);
    const model = new Map<number, Float32Array[]>();
    for (const { memory, seeds } of steps) {
      block.remove(memory);
      model.delete(memory);
      if (seeds.length > 0) model.set(memory, seeds.map(unit));
      for (const seed of seeds) {
        block.add({ memory, type: "tool", start: 0, end: 1, vector: unit(seed) });
      }
    }
    const query = unit(seed);
    const found = new Map(
      block.search(query, { limit: 1000 }).map((hit) => [hit.memory, hit.cosine]),
    );
    assert.deepEqual([...found.keys()].sort(), [...model.keys()].sort());
    for (const [memory, vectors] of model) {
      const best = Math.max(...vectors.map((vector) => dot(query, vector)));
      assert.ok(Math.abs(found.get(memory)! - best) < 1e-5);
    }
  }));
});

Deno.test("what is near in every view is nearer than what is near in one alone", () => {
  const block = new PassageBlock(WIDTH);
  const near = unit(7), far = unit(5);
  const add = (memory: number, views: readonly Float32Array[]) => {
    views.forEach((vector, i) =>
      // The first two are no stretch of a body; of the passages only the best counts.
      block.add({ memory, type: "tool", start: i < 2 ? 0 : i, end: i < 2 ? 0 : i + 1, vector })
    );
  };
  add(1, [near, near, near, far, far]);
  add(2, [near, far, far]);
  add(3, [near]);
  const hits = new Map(block.search(near, { limit: 9 }).map((hit) => [hit.memory, hit]));
  const { cosine, nearness } = hits.get(2)!;
  assert.ok(Math.abs(cosine - 1) < 1e-5);
  assert.ok(Math.abs(nearness - (0.7 + 0.3 * (1 + 2 * dot(near, far)) / 3)) < 1e-5);
  for (const memory of [1, 3]) assert.ok(Math.abs(hits.get(memory)!.nearness - 1) < 1e-5);
});

Deno.test("search() takes the types it is told to", () => {
  const block = new PassageBlock(WIDTH);
  for (const [memory, type] of [[1, "tool"], [2, "user"]] as const) {
    block.add({ memory, type, start: 0, end: 1, vector: unit(memory) });
  }
  const takes = (type: string) => type !== "tool";
  assert.deepEqual(block.search(unit(1), { limit: 9, takes }).map((hit) => hit.memory), [2]);
});

Deno.test("search() gives the nearest so many, and those it is asked for besides", () => {
  const block = new PassageBlock(WIDTH);
  for (let memory = 1; memory <= 20; memory++) {
    block.add({ memory, type: "tool", start: 0, end: 1, vector: unit(memory) });
  }
  const query = unit(7);
  const ranked = block.search(query, { limit: 20 }).sort((a, b) => b.cosine - a.cosine)
    .map((hit) => hit.memory);
  const also = new Set([ranked[0]!, ranked[15]!]);
  const found = block.search(query, { limit: 5, also }).map((hit) => hit.memory);
  assert.deepEqual(new Set(found), new Set([...ranked.slice(0, 5), ranked[15]]));
});
