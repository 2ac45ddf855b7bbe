import assert from "node:assert/strict";
import { rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { dot, openEmbedder } from "../../src/core/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { convertModel } from "../../tools/convert_model.ts";
import { MINILM_SOURCE as MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";

const paths = pathsFor({ MEMO_HOME: "/nowhere" });

Deno.test("convertModel() makes a model that knows like from unlike", async () => {
  using folder = temporaryFolder();
  const output = join(folder.path, "model");
  convertModel(output, MINILM);
  const embedder = await openEmbedder(output, paths);
  const vectors = ["the tests run", "We run all tests", "Water the ficus"].map((text) =>
    embedder.embed(text)
  );
  const [tests, run, ficus] = await Promise.all(vectors);
  assert.ok(dot(tests!, run!) > 0.6 && dot(tests!, ficus!) < 0.2, "as all-MiniLM-L6-v2 has them");
  await embedder.close();
});

Deno.test("convertModel() leaves a whole model alone and mends a damaged one", () => {
  using folder = temporaryFolder();
  const output = join(folder.path, "model");
  const weights = join(output, "onnx/model_quantized.onnx");
  assert.equal(convertModel(output, MINILM), true);
  const { size } = statSync(weights);
  assert.equal(convertModel(output, MINILM), false);
  truncateSync(weights, 10);
  assert.equal(convertModel(output, MINILM), true);
  assert.equal(statSync(weights).size, size);
  rmSync(join(output, "LICENSE"));
  assert.equal(convertModel(output, MINILM), true);
});
