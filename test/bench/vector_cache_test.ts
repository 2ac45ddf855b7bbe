import assert from "node:assert/strict";
import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { cached } from "../../bench/vector_cache.ts";
import type { Embedder } from "../../src/core/embed/mod.ts";
import { temporaryFolder } from "../support/temp.ts";

/** Stands for a model: the length of a text, and how often it was asked. */
function countingEmbedder(id: string): Embedder & { asked: number } {
  return {
    id,
    dimensions: 2,
    asked: 0,
    countTokens: (text) => text.length,
    embed(text) {
      this.asked++;
      return Promise.resolve(Float32Array.of(text.length, 0.1));
    },
    close: () => Promise.resolve(),
  };
}

Deno.test("A passage is embedded once for all runs, a query each time, and models do not mix", async () => {
  using temp = temporaryFolder();
  const model = countingEmbedder("one");
  const first = cached(model, temp.path);
  const vector = await first.embed("passage");
  await first.embed("passage");
  await first.embed("passage", "query");
  assert.equal(model.asked, 2);
  await first.close();

  const second = cached(model, temp.path);
  assert.deepEqual(await second.embed("passage"), vector);
  assert.equal(model.asked, 2);
  await second.embed("another");
  await second.close();

  const other = countingEmbedder("two");
  await cached(other, temp.path).embed("passage");
  assert.equal(other.asked, 1);
});

Deno.test("A record that was cut off when a run was killed is dropped, and the others stay", async () => {
  using temp = temporaryFolder();
  const model = countingEmbedder("one");
  const before = cached(model, temp.path);
  await before.embed("passage");
  await before.close();
  const file = join(temp.path, readdirSync(temp.path)[0]!);
  const { size } = statSync(file);
  appendFileSync(file, "half");

  const after = cached(model, temp.path);
  await after.embed("passage");
  assert.equal(model.asked, 1);
  await after.embed("new");
  await after.close();
  assert.equal(statSync(file).size, 2 * size);
});
