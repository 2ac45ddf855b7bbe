// multilingual-e5-small from its packed file. The table of words, two thirds of the file, stays in its blocks of four
// bits; the layers' matrices become bytes, with which ONNX Runtime is twice as fast as with those blocks.

import { BLOCK_WEIGHTS, dequantize, type WordsPlace } from "../../src/core/embed/words.ts";
import type { AddFactors } from "./adapter.ts";
import { type BertWeights, buildBert, type Dense, type Form, type Norm } from "./bert.ts";
import { type ByteMatrix, toBytes } from "./bytes.ts";
import { attribute, ElementType, type GraphBuilder, type Tensor } from "./onnx.ts";
import type { PackedModel, PackedShape } from "./packed_e5.ts";
import { signedBlocks } from "./q4.ts";

/** What the file calls the parts. */
const DENSE: Record<Dense, string> = {
  query: "q",
  key: "k",
  value: "v",
  attended: "ao",
  inner: "fi",
  outer: "fo",
};
const NORM: Record<Exclude<Norm, "embeddings">, string> = { attention: "aln", output: "oln" };

const BITS = 4;

/** What transformers.js has to know of the network. */
export function e5Config(shape: PackedShape) {
  return {
    architectures: ["BertModel"],
    model_type: "bert",
    hidden_act: "gelu",
    hidden_size: shape.hiddenSize,
    intermediate_size: shape.intermediateSize,
    layer_norm_eps: 1e-12,
    max_position_embeddings: shape.positions,
    num_attention_heads: shape.heads,
    num_hidden_layers: shape.layers,
    pad_token_id: 1,
    type_vocab_size: 2,
    vocab_size: shape.vocabularySize,
  } as const;
}

/** What the file calls the table of words. */
const WORDS = "emb.word";

/** The ONNX file of the model, with an adapter merged. */
export function buildE5(model: PackedModel, form: Form, adapt: AddFactors): Uint8Array {
  return buildBert(
    "multilingual-e5-small",
    e5Config(model.shape),
    (graph) => new PackedWeights(model, graph, adapt),
    form,
  );
}

/** The table of words for `src/core/embed/words.ts`: its rows as the file has them, and where they are. */
export function wordsOf({ shape, tensors }: PackedModel) {
  const place: WordsPlace = {
    offset: "0".padStart(12, "0"),
    rows: shape.vocabularySize,
    width: shape.hiddenSize,
  };
  return { place, rows: blocksIn(tensors, WORDS) };
}

class PackedWeights implements BertWeights {
  readonly #model: PackedModel;
  readonly #graph: GraphBuilder;
  readonly #adapt: AddFactors;

  constructor(model: PackedModel, graph: GraphBuilder, adapt: AddFactors) {
    this.#model = model;
    this.#graph = graph;
    this.#adapt = adapt;
  }

  words(ids: Tensor): Tensor {
    const { hiddenSize, vocabularySize } = this.#model.shape;
    const { nibbles, scales } = signedBlocks(this.#blocks(WORDS));
    const perRow = hiddenSize / BLOCK_WEIGHTS;
    return this.#graph.apply(
      "GatherBlockQuantized",
      [
        this.#graph.constant(ElementType.int4, [vocabularySize, hiddenSize], nibbles),
        ids,
        this.#graph.constant(ElementType.float32, [vocabularySize, perRow], scales),
      ],
      attribute.integer("gather_axis", 0),
      attribute.integer("quantize_axis", 1),
      attribute.integer("block_size", BLOCK_WEIGHTS),
      attribute.integer("bits", BITS),
    );
  }

  places(positions: Tensor): Tensor {
    return this.#graph.apply(
      "Gather",
      [this.#positions(), positions],
      attribute.integer("axis", 0),
    );
  }

  matrix(dense: Dense, layer: number): ByteMatrix {
    const { hiddenSize, intermediateSize } = this.#model.shape;
    const weights = dequantize(this.#blocks(`l${layer}.${DENSE[dense]}.w`));
    return toBytes(
      this.#adapt(weights, DENSE[dense], layer),
      dense === "outer" ? intermediateSize : hiddenSize,
    );
  }

  bias(dense: Dense, layer: number): Tensor {
    return this.#vector(`l${layer}.${DENSE[dense]}.b`);
  }

  norm(norm: Norm, layer: number): readonly [Tensor, Tensor] {
    const name = norm === "embeddings" ? "emb.ln" : `l${layer}.${NORM[norm]}`;
    return [this.#vector(`${name}.w`), this.#vector(`${name}.b`)];
  }

  /** Positions with the one type of token that is used added to them. */
  #positions(): Tensor {
    const { hiddenSize, positions } = this.#model.shape;
    const type = this.#floats("emb.type");
    const sums = this.#floats("emb.pos").map((value, i) => value + type[i % hiddenSize]!);
    return this.#graph.constant(ElementType.float32, [positions, hiddenSize], sums);
  }

  #vector(name: string): Tensor {
    const values = this.#floats(name);
    return this.#graph.constant(ElementType.float32, [values.length], values);
  }

  #floats(name: string): Float32Array {
    const tensor = this.#model.tensors.get(name);
    if (tensor?.kind !== "float") throw new Error(`The file has no floats ${name}`);
    return tensor.values;
  }

  #blocks(name: string): Uint8Array {
    return blocksIn(this.#model.tensors, name);
  }
}

function blocksIn(tensors: PackedModel["tensors"], name: string): Uint8Array {
  const tensor = tensors.get(name);
  if (tensor?.kind !== "q4_0") throw new Error(`The file has no matrix ${name}`);
  return tensor.blocks;
}
