import assert from "node:assert/strict";
import { rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../src/embed/embedder.ts";
import { openEmbedder } from "../../src/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { convertModel } from "../../tools/convert_model.ts";
import { temporaryFolder } from "../support/temp.ts";

const paths = pathsFor({ MEMO_HOME: "/nowhere" });

/** Pairs that mean the same, each worded differently from the others. */
const PARAPHRASES = [
  ["Never commit directly to the main branch", "Always open a pull request, do not push to main"],
  ["The deployment fails when the disk is full", "Releases break if there is no storage left"],
  ["My favourite food is pizza", "I like eating pizza more than anything else"],
] as const;

const TEXTS = PARAPHRASES.flat();

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

async function embedAll(embedder: Embedder): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of TEXTS) vectors.push(await embedder.embed(text));
  await embedder.close();
  return vectors;
}

Deno.test("convertModel() makes a model of either precision that knows what means the same", async () => {
  using folder = temporaryFolder();
  const vectors: Float32Array[][] = [];
  for (const precision of ["dynamic", "weight-only"] as const) {
    const output = join(folder.path, precision);
    assert.equal(convertModel(output, precision), true);
    vectors.push(await embedAll(await openEmbedder(output, paths)));
  }
  for (const set of vectors) {
    for (const [i, vector] of set.entries()) {
      const partner = i ^ 1;
      const others = set.filter((_, j) => j !== i && j !== partner);
      const nearest = Math.max(...others.map((other) => cosine(vector, other)));
      assert.ok(cosine(vector, set[partner]!) > nearest + 0.1, TEXTS[i]!);
    }
  }
  const [dynamic, weightOnly] = vectors as [Float32Array[], Float32Array[]];
  for (const [i, vector] of dynamic.entries()) assert.ok(cosine(vector, weightOnly[i]!) > 0.97);
});

Deno.test("convertModel() leaves a whole model alone and mends a damaged one", () => {
  using folder = temporaryFolder();
  const output = join(folder.path, "model");
  const weights = join(output, "onnx/model_quantized.onnx");
  assert.equal(convertModel(output, "dynamic"), true);
  const { size } = statSync(weights);
  assert.equal(convertModel(output, "dynamic"), false);
  truncateSync(weights, 10);
  assert.equal(convertModel(output, "dynamic"), true);
  assert.equal(statSync(weights).size, size);
  rmSync(join(output, "LICENSE"));
  assert.equal(convertModel(output, "dynamic"), true);
});
