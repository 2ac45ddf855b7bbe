// all-MiniLM-L6-v2 as an ONNX graph: a BERT encoder of six layers, from token ids to one vector a token.

import { attribute, ElementType, GraphBuilder, type Tensor } from "./onnx.ts";
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

/**
 * How matrices are multiplied. `dynamic`: activations are quantised on the fly and bytes are multiplied
 * with bytes; small in memory. `weight-only`: weights become floats when the model is loaded; exact, and
 * four times as large in memory.
 */
export type Precision = "dynamic" | "weight-only";

const HEAD_SIZE = CONFIG.hidden_size / CONFIG.num_attention_heads;

/** Added to the attention of padding, so that softmax makes nothing of it. */
const MASKED = -10000;

const BERT = "StatefulPartitionedCall/model/tf_bert_model/bert/";

/** The ONNX file of the model with these weights. */
export function buildMiniLm(weights: Weights, precision: Precision): Uint8Array {
  return new Encoder(weights, precision).build();
}

class Encoder {
  readonly #graph = new GraphBuilder();
  readonly #weights: Weights;
  readonly #precision: Precision;
  /** Activations that were quantised already: query, key and value read the same one. */
  readonly #quantized = new Map<Tensor, readonly Tensor[]>();

  constructor(weights: Weights, precision: Precision) {
    this.#weights = weights;
    this.#precision = precision;
  }

  build(): Uint8Array {
    const [ids, mask, types] = ["input_ids", "attention_mask", "token_type_ids"].map((name) =>
      this.#graph.input({ name, type: ElementType.int64, shape: ["batch", "sequence"] })
    ) as [Tensor, Tensor, Tensor];
    const bias = this.#attentionBias(mask);
    let hidden = this.#embeddings(ids, types);
    for (let layer = 0; layer < CONFIG.num_hidden_layers; layer++) {
      hidden = this.#layer(hidden, bias, `${BERT}encoder/layer_._${layer}/`);
    }
    return this.#graph.model("all-MiniLM-L6-v2", hidden, {
      name: "last_hidden_state",
      type: ElementType.float32,
      shape: ["batch", "sequence", CONFIG.hidden_size],
    });
  }

  #embeddings(ids: Tensor, types: Tensor): Tensor {
    const g = this.#graph;
    const length = g.apply(
      "Gather",
      [g.apply("Shape", [ids]), g.integers(1)],
      attribute.integer("axis", 0),
    );
    const positions = g.apply("Range", [g.integers(0), length, g.integers(1)]);
    // The converter of TensorFlow.js lost the names of the three tables, not their order.
    const word = this.#lookUp("unknown", ids);
    const position = this.#lookUp("unknown_0", positions);
    const type = this.#lookUp("unknown_1", types);
    const sum = g.apply("Add", [g.apply("Add", [word, type]), position]);
    return this.#normalize(sum, `${BERT}embeddings/LayerNorm`);
  }

  #layer(hidden: Tensor, bias: Tensor, name: string): Tensor {
    const g = this.#graph;
    const context = this.#attention(hidden, bias, `${name}attention/self/`);
    const attended = this.#normalize(
      g.apply("Add", [this.#dense(context, `${name}attention/output/dense`), hidden]),
      `${name}attention/output/LayerNorm`,
    );
    const inner = this.#gelu(this.#dense(attended, `${name}intermediate/dense`));
    return this.#normalize(
      g.apply("Add", [this.#dense(inner, `${name}output/dense`), attended]),
      `${name}output/LayerNorm`,
    );
  }

  #attention(hidden: Tensor, bias: Tensor, name: string): Tensor {
    const g = this.#graph;
    const heads = (part: string, order: readonly number[]) =>
      g.apply(
        "Transpose",
        [g.apply("Reshape", [
          this.#dense(hidden, name + part),
          g.integers([0, 0, CONFIG.num_attention_heads, HEAD_SIZE]),
        ])],
        attribute.integers("perm", order),
      );
    const query = heads("query", [0, 2, 1, 3]);
    const key = heads("key", [0, 2, 3, 1]);
    const value = heads("value", [0, 2, 1, 3]);
    const scaled = g.apply("Mul", [
      g.apply("MatMul", [query, key]),
      g.scalar(1 / Math.sqrt(HEAD_SIZE)),
    ]);
    const attention = g.apply(
      "Softmax",
      [g.apply("Add", [scaled, bias])],
      attribute.integer("axis", -1),
    );
    const mixed = g.apply(
      "Transpose",
      [g.apply("MatMul", [attention, value])],
      attribute.integers("perm", [0, 2, 1, 3]),
    );
    return g.apply("Reshape", [mixed, g.integers([0, 0, CONFIG.hidden_size])]);
  }

  /** 0 where there is a token, a large negative number where there is padding. */
  #attentionBias(mask: Tensor): Tensor {
    const g = this.#graph;
    const broadcast = g.apply("Unsqueeze", [this.#toFloat(mask), g.integers([1, 2])]);
    return g.apply("Mul", [g.apply("Sub", [g.scalar(1), broadcast]), g.scalar(MASKED)]);
  }

  #gelu(x: Tensor): Tensor {
    const g = this.#graph;
    const erf = g.apply("Erf", [g.apply("Div", [x, g.scalar(Math.SQRT2)])]);
    return g.apply("Mul", [
      g.apply("Mul", [x, g.apply("Add", [erf, g.scalar(1)])]),
      g.scalar(0.5),
    ]);
  }

  #normalize(x: Tensor, name: string): Tensor {
    return this.#graph.apply(
      "LayerNormalization",
      [
        x,
        this.#vector(`${name}/batchnorm/mul/ReadVariableOp`),
        this.#vector(`${name}/batchnorm/ReadVariableOp`),
      ],
      attribute.integer("axis", -1),
      attribute.float("epsilon", CONFIG.layer_norm_eps),
    );
  }

  #dense(x: Tensor, name: string): Tensor {
    const weight = this.#weight(`${name}/Tensordot/ReadVariableOp`);
    const product = this.#precision === "dynamic"
      ? this.#multiplyBytes(x, weight)
      : this.#graph.apply("MatMul", [x, this.#decode(this.#bytes(weight), weight)]);
    return this.#graph.apply("Add", [product, this.#vector(`${name}/BiasAdd/ReadVariableOp`)]);
  }

  /** x × weight with bytes on both sides; ONNX Runtime fuses this pattern into one operator. */
  #multiplyBytes(x: Tensor, weight: QuantizedWeight): Tensor {
    const g = this.#graph;
    const quantized = this.#quantized.get(x) ?? g.applyMany("DynamicQuantizeLinear", [x], 3);
    this.#quantized.set(x, quantized);
    const [data, scale, zero] = quantized as [Tensor, Tensor, Tensor];
    const weightZero = g.constant(ElementType.uint8, [], Uint8Array.of(zeroPoint(weight)));
    const product = g.apply("MatMulInteger", [data, this.#bytes(weight), zero, weightZero]);
    const scales = g.apply("Mul", [scale, g.scalar(weight.scale)]);
    return g.apply("Mul", [this.#toFloat(product), scales]);
  }

  /** Rows of a table, turned into floats after they were picked: the table stays one byte a number. */
  #lookUp(name: string, rows: Tensor): Tensor {
    const table = this.#weight(name);
    const picked = this.#graph.apply(
      "Gather",
      [this.#bytes(table), rows],
      attribute.integer("axis", 0),
    );
    return this.#decode(picked, table);
  }

  #decode(data: Tensor, { scale, min }: QuantizedWeight): Tensor {
    const g = this.#graph;
    const scaled = g.apply("Mul", [this.#toFloat(data), g.scalar(scale)]);
    return g.apply("Add", [scaled, g.scalar(min)]);
  }

  #toFloat(x: Tensor): Tensor {
    return this.#graph.apply("Cast", [x], attribute.integer("to", ElementType.float32));
  }

  #bytes({ shape, data }: QuantizedWeight): Tensor {
    return this.#graph.constant(ElementType.uint8, shape, data);
  }

  #vector(name: string): Tensor {
    const weight = this.#weight(name);
    return this.#graph.constant(ElementType.float32, weight.shape, dequantize(weight));
  }

  #weight(name: string): QuantizedWeight {
    const weight = this.#weights.get(name);
    if (weight === undefined) throw new Error(`The package has no weight ${name}`);
    return weight;
  }
}
