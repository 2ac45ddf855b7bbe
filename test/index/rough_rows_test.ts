import assert from "node:assert/strict";
import fc from "fast-check";
import { RoughRows } from "../../src/index/rough_rows.ts";
import { VectorBlock } from "../../src/index/vectors.ts";

const WIDTH = 24;
const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
  minLength: WIDTH,
  maxLength: WIDTH,
});
/** Unit vectors of every shape, those with all their length in one number too, and one without any length. */
const vector = fc.oneof(
  numbers,
  fc.nat(WIDTH - 1).map((at) => Array.from({ length: WIDTH }, (_, i) => i === at ? -1 : 0)),
  fc.constant(Array.from({ length: WIDTH }, () => 0)),
).map((values) => {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
});

Deno.test("bounds() holds every dot product, and is narrow", () => {
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 30 }), vector, (rows, query) => {
      const rough = RoughRows.make(WIDTH, rows.length)!;
      rows.forEach((row, i) => rough.set(i, row));
      const { lower, upper } = rough.bounds(query, rows.length);
      rows.forEach((row, i) => {
        const exact = dot(row, query);
        assert.ok(lower[i]! <= exact && exact <= upper[i]!, `${lower[i]} ${exact} ${upper[i]}`);
        assert.ok(upper[i]! - lower[i]! < 0.001);
      });
    }),
  );
});

Deno.test("bounds() knows no row twice: one that is set again is the new one", () => {
  const rough = RoughRows.make(WIDTH, 4)!;
  const axis = (at: number) => Float32Array.from({ length: WIDTH }, (_, i) => i === at ? 1 : 0);
  for (const at of [0, 5, 9]) rough.set(3, axis(at));
  const { lower, upper } = rough.bounds(axis(9), 4);
  assert.ok(lower[3]! > 0.99 && upper[0]! < 0.01 && upper.length === 4);
});

/** Passages of `count` memories around a few subjects, many of them twice. */
function passages(count: number): { memory: number; type: string; vector: Float32Array }[] {
  const noise = (seed: number, i: number) => Math.sin(seed * 12.9898 + i * 78.233) * 43758.5453 % 1;
  return Array.from(
    { length: count },
    (_, memory) =>
      Array.from({ length: memory % 3 + 1 }, (_, passage) => {
        const seed = memory % 7 === 0 ? 0 : memory * 3 + passage;
        const values = Array.from(
          { length: WIDTH },
          (_, i) => noise(memory % 5, i) + 0.3 * noise(seed, i),
        );
        const length = Math.hypot(...values);
        const type = memory % 4 === 0 ? "tool" : "user";
        return { memory, type, vector: Float32Array.from(values, (value) => value / length) };
      }),
  ).flat();
}

/** The blocks that hold passages; a small one is scanned exactly. */
function blockOf(rows: ReturnType<typeof passages>, capacity?: number): VectorBlock {
  const block = new VectorBlock(WIDTH, capacity);
  rows.forEach((row, start) => block.add({ ...row, start, end: start + 1 }));
  return block;
}

const COUNT = 1500;
const ALL = passages(COUNT);

for (const [what, made] of [["as it grew", 64], ["made for it", 4000]] as const) {
  Deno.test(`a large block, ${what}, finds what small ones find, to the last bit`, () => {
    const large = blockOf(ALL, made);
    // Taken out, and entered again at the end, until the rest is swept together.
    for (let memory = 0; memory < COUNT; memory += 2) large.remove(memory);
    const kept = ALL.filter(({ memory }) => memory % 2 === 1);
    const again = ALL.filter(({ memory }) => memory % 10 === 0);
    for (const row of again) large.add({ ...row, start: 7, end: 8 });
    const small: VectorBlock[] = [];
    for (let from = 0; from < COUNT; from += 100) {
      const isIn = ({ memory }: { memory: number }) => memory >= from && memory < from + 100;
      const block = blockOf([]);
      for (const row of kept.filter(isIn)) {
        block.add({ ...row, start: ALL.indexOf(row), end: ALL.indexOf(row) + 1 });
      }
      for (const row of again.filter(isIn)) block.add({ ...row, start: 7, end: 8 });
      small.push(block);
    }
    for (let i = 0; i < 60; i++) {
      const query = ALL[i * 31]!.vector, limit = i % 2 === 0 ? 20 : 1;
      const also = new Set([i, 2 * i + 1, 999]);
      const takes = i % 3 === 0 ? undefined : (type: string) => type === "user";
      const each = small.flatMap((block) => block.search(query, { limit: COUNT, takes }))
        .sort((a, b) => b.cosine - a.cosine);
      const bar = each[limit - 1]!.cosine;
      const wanted = each.filter(({ memory, cosine }) => cosine >= bar || also.has(memory));
      const byMemory = (a: { memory: number }, b: { memory: number }) => a.memory - b.memory;
      assert.deepEqual(
        large.search(query, { limit, also, takes }).sort(byMemory),
        wanted.sort(byMemory),
      );
    }
  });
}

Deno.test("a large block is scanned exactly on a machine without the instructions", () => {
  const { Module } = WebAssembly;
  const width = 40; // no other test has had this compiled
  try {
    WebAssembly.Module = class {
      constructor() {
        throw new WebAssembly.CompileError("no SIMD");
      }
    } as unknown as typeof Module;
    assert.equal(RoughRows.make(width, 10), undefined);
    const block = new VectorBlock(width, 2000);
    for (let memory = 0; memory < 1200; memory++) {
      const vector = Float32Array.from({ length: width }, (_, i) => i === memory % width ? 1 : 0);
      block.add({ memory, type: "tool", start: 0, end: 1, vector });
    }
    const query = Float32Array.from({ length: width }, (_, i) => i === 3 ? 1 : 0);
    const found = block.search(query, { limit: 5 });
    assert.equal(found.length, 1200 / width);
    assert.ok(found.every(({ memory, cosine }) => memory % width === 3 && cosine === 1));
  } finally {
    WebAssembly.Module = Module;
  }
});
