// A BERT encoder as an ONNX graph, from the tokens of one text to one vector a token.
//
// The operators are the fastest of those that were tried with ONNX Runtime on x86-64 (bench/notes.md): attention
// with one matrix of bytes for queries, keys and values, and a sum, a normalisation and Gelu of their own in place of
// the fused ones (`BiasGelu`, `SkipLayerNormalization`, `MultiHeadAttention`), which run slower.

import { type ByteMatrix, ByteMultiplier, sideBySide, type Signs } from "./bytes.ts";
import { attribute, ElementType, GraphBuilder, type Tensor } from "./onnx.ts";

/** The shape of the network, in the words of its Hugging Face `config.json`. */
export interface BertConfig {
  readonly hidden_size: number;
  readonly layer_norm_eps: number;
  readonly num_attention_heads: number;
  readonly num_hidden_layers: number;
}

/** The matrices of a layer. */
export type Dense = "query" | "key" | "value" | "attended" | "inner" | "outer";

/** What is normalised: the embeddings, what a layer's attention gives, what the layer gives. */
export type Norm = "embeddings" | "attention" | "output";

/** Graphs of the same weights, which give the same vectors. */
export interface Form {
  /** What a graph is given of a text, as transformers.js calls it: the ids of its tokens, or their rows in the table of words. */
  readonly given: "input_ids" | "inputs_embeds";
  readonly signs: Signs;
}

/** A graph that a text's tokens suffice for. */
export const WHOLE: Form = { given: "input_ids", signs: "kept" };

/** How a source's weights get into a graph. */
export interface BertWeights {
  /** What the table of words has for the tokens. */
  words(ids: Tensor): Tensor;
  /** What the other tables have for them, by position and type. */
  places(positions: Tensor): Tensor;
  matrix(dense: Dense, layer: number): ByteMatrix;
  bias(dense: Dense, layer: number): Tensor;
  /** Scale and shift of a normalisation; the embeddings' belongs to no layer. */
  norm(norm: Norm, layer: number): readonly [Tensor, Tensor];
}

/** The ONNX file of an encoder; `weightsIn` is given the graph that the weights go into. */
export function buildBert(
  name: string,
  config: BertConfig,
  weightsIn: (graph: GraphBuilder) => BertWeights,
  form = WHOLE,
): Uint8Array {
  return new Encoder(config, weightsIn, form).build(name);
}

class Encoder {
  readonly #graph = new GraphBuilder();
  readonly #bytes: ByteMultiplier;
  readonly #config: BertConfig;
  readonly #weights: BertWeights;
  readonly #given: Form["given"];

  constructor(
    config: BertConfig,
    weightsIn: (graph: GraphBuilder) => BertWeights,
    { given, signs }: Form,
  ) {
    this.#config = config;
    this.#weights = weightsIn(this.#graph);
    this.#bytes = new ByteMultiplier(this.#graph, signs);
    this.#given = given;
  }

  build(name: string): Uint8Array {
    const given = this.#given;
    const shape = ["batch", "sequence"];
    const input = this.#graph.input(
      given === "input_ids"
        ? { name: given, type: ElementType.int64, shape }
        : { name: given, type: ElementType.float32, shape: [...shape, this.#config.hidden_size] },
    );
    let hidden = this.#embeddings(input);
    for (let layer = 0; layer < this.#config.num_hidden_layers; layer++) {
      hidden = this.#layer(hidden, layer);
    }
    return this.#graph.model(name, hidden, {
      name: "last_hidden_state",
      type: ElementType.float32,
      shape: ["batch", "sequence", this.#config.hidden_size],
    });
  }

  #embeddings(input: Tensor): Tensor {
    const g = this.#graph;
    const length = g.apply(
      "Gather",
      [g.apply("Shape", [input]), g.integers(1)],
      attribute.integer("axis", 0),
    );
    const positions = g.apply("Range", [g.integers(0), length, g.integers(1)]);
    const words = this.#given === "input_ids" ? this.#weights.words(input) : input;
    return this.#normalize(this.#sum(words, this.#weights.places(positions)), "embeddings");
  }

  #layer(hidden: Tensor, layer: number): Tensor {
    const attended = this.#normalize(
      this.#sum(this.#dense(this.#attention(hidden, layer), "attended", layer), hidden),
      "attention",
      layer,
    );
    const inner = this.#graph.apply("Gelu", [this.#dense(attended, "inner", layer)]);
    return this.#normalize(
      this.#sum(this.#dense(inner, "outer", layer), attended),
      "output",
      layer,
    );
  }

  #attention(hidden: Tensor, layer: number): Tensor {
    const parts = ["query", "key", "value"] as const;
    const bias = this.#graph.apply(
      "Concat",
      parts.map((part) => this.#weights.bias(part, layer)),
      attribute.integer("axis", 0),
    );
    const matrix = sideBySide(parts.map((part) => this.#weights.matrix(part, layer)));
    return this.#bytes.attend(hidden, matrix, { bias, heads: this.#config.num_attention_heads });
  }

  #dense(x: Tensor, dense: Dense, layer: number): Tensor {
    return this.#sum(
      this.#bytes.multiply(x, this.#weights.matrix(dense, layer)),
      this.#weights.bias(dense, layer),
    );
  }

  #sum(x: Tensor, y: Tensor): Tensor {
    return this.#graph.apply("Add", [x, y]);
  }

  #normalize(x: Tensor, norm: Norm, layer = 0): Tensor {
    return this.#graph.apply(
      "LayerNormalization",
      [x, ...this.#weights.norm(norm, layer)],
      attribute.integer("axis", -1),
      attribute.float("epsilon", this.#config.layer_norm_eps),
    );
  }
}
