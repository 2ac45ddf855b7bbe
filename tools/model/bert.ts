// A BERT encoder as an ONNX graph, from token ids to one vector a token, whatever its weights are like.

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

/** How a source's weights get into a graph. */
export interface BertWeights {
  /** The sum of what the tables have for the tokens: word, position, type. */
  embed(ids: Tensor, positions: Tensor): Tensor;
  /** x × the matrix of that name in that layer, its bias not added. */
  multiply(x: Tensor, dense: Dense, layer: number): Tensor;
  bias(dense: Dense, layer: number): Tensor;
  /** Scale and shift of a normalisation; the embeddings' belongs to no layer. */
  norm(norm: Norm, layer: number): readonly [Tensor, Tensor];
}

/** The ONNX file of an encoder; `weightsIn` is given the graph that the weights go into. */
export function buildBert(
  name: string,
  config: BertConfig,
  weightsIn: (graph: GraphBuilder) => BertWeights,
): Uint8Array {
  return new Encoder(config, weightsIn).build(name);
}

class Encoder {
  readonly #graph = new GraphBuilder();
  readonly #config: BertConfig;
  readonly #weights: BertWeights;

  constructor(config: BertConfig, weightsIn: (graph: GraphBuilder) => BertWeights) {
    this.#config = config;
    this.#weights = weightsIn(this.#graph);
  }

  build(name: string): Uint8Array {
    const input = (port: string) =>
      this.#graph.input({ name: port, type: ElementType.int64, shape: ["batch", "sequence"] });
    const ids = input("input_ids"), mask = input("attention_mask");
    const keys = this.#graph.apply("Cast", [mask], attribute.integer("to", ElementType.int32));
    let hidden = this.#embeddings(ids);
    for (let layer = 0; layer < this.#config.num_hidden_layers; layer++) {
      hidden = this.#layer(hidden, keys, layer);
    }
    return this.#graph.model(name, hidden, {
      name: "last_hidden_state",
      type: ElementType.float32,
      shape: ["batch", "sequence", this.#config.hidden_size],
    });
  }

  #embeddings(ids: Tensor): Tensor {
    const g = this.#graph;
    const length = g.apply(
      "Gather",
      [g.apply("Shape", [ids]), g.integers(1)],
      attribute.integer("axis", 0),
    );
    const positions = g.apply("Range", [g.integers(0), length, g.integers(1)]);
    const sum = this.#weights.embed(ids, positions);
    const [scale, shift] = this.#weights.norm("embeddings", 0);
    return g.apply(
      "LayerNormalization",
      [sum, scale, shift],
      attribute.integer("axis", -1),
      attribute.float("epsilon", this.#config.layer_norm_eps),
    );
  }

  #layer(hidden: Tensor, keys: Tensor, layer: number): Tensor {
    const attended = this.#add(
      this.#weights.multiply(this.#attention(hidden, keys, layer), "attended", layer),
      { bias: "attended", to: hidden, norm: "attention", layer },
    );
    const inner = this.#graph.apply("BiasGelu", [
      this.#weights.multiply(attended, "inner", layer),
      this.#weights.bias("inner", layer),
    ]);
    return this.#add(
      this.#weights.multiply(inner, "outer", layer),
      { bias: "outer", to: attended, norm: "output", layer },
    );
  }

  /** Softmax(query × key) × value in each head; what the mask leaves out gets no attention. */
  #attention(hidden: Tensor, keys: Tensor, layer: number): Tensor {
    const g = this.#graph;
    const parts = ["query", "key", "value"] as const;
    const bias = g.apply(
      "Concat",
      parts.map((part) => this.#weights.bias(part, layer)),
      attribute.integer("axis", 0),
    );
    return g.apply(
      "MultiHeadAttention",
      [...parts.map((part) => this.#weights.multiply(hidden, part, layer)), bias, keys],
      attribute.integer("num_heads", this.#config.num_attention_heads),
    );
  }

  /** A layer's residual connection: its result with its bias, on top of what went in, normalised. */
  #add(
    x: Tensor,
    { bias, to, norm, layer }: { bias: Dense; to: Tensor; norm: Norm; layer: number },
  ): Tensor {
    return this.#graph.apply(
      "SkipLayerNormalization",
      [x, to, ...this.#weights.norm(norm, layer), this.#weights.bias(bias, layer)],
      attribute.float("epsilon", this.#config.layer_norm_eps),
    );
  }
}
