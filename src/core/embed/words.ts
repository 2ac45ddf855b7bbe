// A model's table of words beside its graph. In the graph ONNX Runtime maps it into memory, and each look-up of a row of
// 216 bytes maps 64 KB, which are this process's as long as it lives; what is read row by row stays the system's.

import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { textAt } from "../files/there.ts";
import { WORDS } from "./files.ts";

/** Where a table's rows are in the file beside it: the content of `words.json`. */
export interface WordsPlace {
  /** The byte at which they begin, in 12 digits: it is moved in place where the file lies in another one. */
  readonly offset: string;
  readonly rows: number;
  /** Numbers of a row. */
  readonly width: number;
}

/** A table of words that is open. */
export interface TokenTable {
  readonly width: number;
  /** The rows of tokens, one after another. */
  rowsOf(tokens: readonly number[]): Float32Array;
  close(): void;
}

/** Opens the table of words in a model's folder; undefined for a model that has it in its graph. */
export function openWords(folder: string): TokenTable | undefined {
  const place = textAt(join(folder, WORDS.place));
  if (place === undefined) return undefined;
  const { rows, width, offset } = JSON.parse(place) as WordsPlace, start = Number(offset);
  const file = openSync(join(folder, WORDS.rows), "r");
  const row = new Uint8Array(width / BLOCK_WEIGHTS * BLOCK_BYTES);
  const isThere = (token: number) =>
    token < rows && readSync(file, row, 0, row.length, start + token * row.length) === row.length;
  return {
    width,
    rowsOf(tokens) {
      const found = new Float32Array(tokens.length * width);
      for (const [i, token] of tokens.entries()) {
        if (!isThere(token)) throw new Error(`the table of ${rows} words has no row ${token}`);
        dequantize(row, found, i * width);
      }
      return found;
    },
    close: () => closeSync(file),
  };
}

// Q4_0: blocks of 32 weights, each a 16-bit scale and a nibble a weight; weight = (nibble − 8) × the block's scale.
/** Weights of a block, and its bytes. */
export const BLOCK_WEIGHTS = 32, BLOCK_BYTES = 18;
/** The bytes of a block that its scale takes, before the nibbles. */
export const SCALE_BYTES = 2;

const HALF = BLOCK_WEIGHTS / 2;

/** The weights of blocks, in an array from a position on: floats have them exactly, since a product takes 15 bits. */
export function dequantize(
  blocks: Uint8Array,
  weights = new Float32Array(blocks.length / BLOCK_BYTES * BLOCK_WEIGHTS),
  at = 0,
): Float32Array {
  for (let start = 0; start < blocks.length; start += BLOCK_BYTES, at += BLOCK_WEIGHTS) {
    const scale = halfAt(blocks, start);
    // The low nibble of byte j is weight j, its high one weight j + 16.
    for (let j = 0; j < HALF; j++) {
      const byte = blocks[start + SCALE_BYTES + j]!;
      weights[at + j] = ((byte & 15) - 8) * scale;
      weights[at + HALF + j] = ((byte >> 4) - 8) * scale;
    }
  }
  return weights;
}

/** The 16-bit float at a byte. */
export function halfAt(bytes: Uint8Array, start: number): number {
  const bits = bytes[start]! | bytes[start + 1]! << 8;
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) throw new Error("A 16-bit float is not a number");
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
