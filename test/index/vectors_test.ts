import assert from "node:assert/strict";
import fc from "fast-check";
import { Gathering, VectorBlock } from "../../src/index/vectors.ts";

const WIDTH = 8;
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
  const steps = fc.array(
    fc.record({ memory: fc.nat(30), seed: fc.nat(1000), remove: fc.boolean() }),
    {
      maxLength: 300,
    },
  );
  fc.assert(fc.property(steps, fc.nat(1000), (steps, seed) => {
    const block = new VectorBlock(WIDTH, 1);
    const model = new Map<number, Float32Array[]>();
    for (const step of steps) {
      if (step.remove) {
        block.remove(step.memory);
        model.delete(step.memory);
      } else {
        const vector = unit(step.seed);
        block.add({ memory: step.memory, start: 0, end: 1, vector });
        model.set(step.memory, [...model.get(step.memory) ?? [], vector]);
      }
    }
    const query = unit(seed);
    const found = new Gathering();
    block.search(query, found);
    assert.deepEqual([...found.best.keys()].sort(), [...model.keys()].sort());
    for (const [memory, vectors] of model) {
      const best = Math.max(...vectors.map((vector) => dot(query, vector)));
      assert.ok(Math.abs(found.best.get(memory)!.cosine - best) < 1e-5);
    }
    assert.equal(block.size, [...model.values()].flat().length);
  }));
});

Deno.test("search() passes over what it is told to skip", () => {
  const block = new VectorBlock(WIDTH);
  for (const memory of [1, 2]) block.add({ memory, start: 0, end: 1, vector: unit(memory) });
  const found = new Gathering();
  block.search(unit(1), found, (memory) => memory === 1);
  assert.deepEqual([...found.best.keys()], [2]);
});

Deno.test("background is the mean and deviation of all cosines", () => {
  const block = new VectorBlock(WIDTH);
  const cosines = [1, 2, 3].map((seed) => {
    block.add({ memory: seed, start: 0, end: 1, vector: unit(seed) });
    return dot(unit(9), unit(seed));
  });
  const found = new Gathering();
  block.search(unit(9), found);
  const mean = cosines.reduce((a, b) => a + b) / 3;
  assert.equal(found.background.count, 3);
  assert.ok(Math.abs(found.background.mean - mean) < 1e-5);
});
