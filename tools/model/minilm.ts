// all-MiniLM-L6-v2 from a TensorFlow.js graph model: one byte a weight, as it is there.

import { type BertWeights, buildBert, type Dense, type Norm } from "./bert.ts";
import type { ByteMatrix } from "./bytes.ts";
import { attribute, ElementType, type GraphBuilder, type Tensor } from "./onnx.ts";
import { dequantize, type QuantizedWeight, type Weights, zeroPoint } from "./tfjs.ts";

/** The shape of the network, in the words of its Hugging Face `config.json`. */
export const CONFIG = {
  architectures: ["BertModel"],
  model_type: "bert",
  hidden_act: "gelu",
  hidden_size: 384,
  intermediate_size: 1536,
  layer_norm_eps: 1e-12,
  max_position_embeddings: 512,
  num_attention_heads: 12,
  num_hidden_layers: 6,
  pad_token_id: 0,
  type_vocab_size: 2,
  vocab_size: 30522,
} as const;

const BERT = "StatefulPartitionedCall/model/tf_bert_model/bert/";
const DENSE: Record<Dense, string> = {
  query: "attention/self/query",
  key: "attention/self/key",
  value: "attention/self/value",
  attended: "attention/output/dense",
  inner: "intermediate/dense",
  outer: "output/dense",
};
const NORM: Record<Exclude<Norm, "embeddings">, string> = {
  attention: "attention/output/LayerNorm",
  output: "output/LayerNorm",
};

/** The converter of TensorFlow.js lost the names of these tables, not their order. */
const TABLES = { word: "unknown", position: "unknown_0", type: "unknown_1" } as const;

/** What turns a byte without a sign into one with a sign. */
const MIDDLE = 128;

/** The ONNX file of the model with these weights. */
export function buildMiniLm(weights: Weights): Uint8Array {
  return buildBert("all-MiniLM-L6-v2", CONFIG, (graph) => new TfjsWeights(weights, graph));
}

class TfjsWeights implements BertWeights {
  readonly #weights: Weights;
  readonly #graph: GraphBuilder;

  constructor(weights: Weights, graph: GraphBuilder) {
    this.#weights = weights;
    this.#graph = graph;
  }

  words(ids: Tensor): Tensor {
    return this.#lookUp(TABLES.word, ids);
  }

  places(positions: Tensor): Tensor {
    const type = dequantize(this.#weight(TABLES.type)).slice(0, CONFIG.hidden_size);
    return this.#graph.apply("Add", [
      this.#lookUp(TABLES.position, positions),
      this.#graph.constant(ElementType.float32, [CONFIG.hidden_size], type),
    ]);
  }

  matrix(dense: Dense, layer: number): ByteMatrix {
    const weight = this.#weight(`${nameOf(layer)}${DENSE[dense]}/Tensordot/ReadVariableOp`);
    const [inputs, outputs] = weight.shape as [number, number];
    return {
      inputs,
      outputs,
      data: Int8Array.from(weight.data, (byte) => byte - MIDDLE),
      zeros: Int8Array.of(zeroPoint(weight) - MIDDLE),
      scales: Float32Array.of(weight.scale),
    };
  }

  bias(dense: Dense, layer: number): Tensor {
    return this.#vector(`${nameOf(layer)}${DENSE[dense]}/BiasAdd/ReadVariableOp`);
  }

  norm(norm: Norm, layer: number): readonly [Tensor, Tensor] {
    const name = norm === "embeddings" ? `${BERT}embeddings/LayerNorm` : nameOf(layer) + NORM[norm];
    return [
      this.#vector(`${name}/batchnorm/mul/ReadVariableOp`),
      this.#vector(`${name}/batchnorm/ReadVariableOp`),
    ];
  }

  /** Rows of a table, turned into floats after they were picked: the table stays one byte a number. */
  #lookUp(name: string, rows: Tensor): Tensor {
    const g = this.#graph;
    const { shape, data, scale, min } = this.#weight(name);
    const picked = g.apply(
      "Gather",
      [g.constant(ElementType.uint8, shape, data), rows],
      attribute.integer("axis", 0),
    );
    const floats = g.apply("Cast", [picked], attribute.integer("to", ElementType.float32));
    return g.apply("Add", [g.apply("Mul", [floats, g.scalar(scale)]), g.scalar(min)]);
  }

  #vector(name: string): Tensor {
    const weight = this.#weight(name);
    const values = dequantize(weight);
    return this.#graph.constant(ElementType.float32, [values.length], values);
  }

  #weight(name: string): QuantizedWeight {
    const weight = this.#weights.get(name);
    if (weight === undefined) throw new Error(`The package has no weight ${name}`);
    return weight;
  }
}

function nameOf(layer: number): string {
  return `${BERT}encoder/layer_._${layer}/`;
}
