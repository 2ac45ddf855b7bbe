// A model's table of words beside its graph. In the graph ONNX Runtime maps it into memory, and each look-up of a row of
// 216 bytes maps 64 KB, which are this process's as long as it lives; what is read row by row stays the system's.

import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { WORDS } from "./files.ts";
import { BLOCK_BYTES, BLOCK_WEIGHTS, dequantize } from "./q4.ts";

/** Where a table's rows are in the file beside it: the content of `words.json`. */
export interface WordsPlace {
  /** The byte at which they begin, in 12 digits: it is moved in place where the file lies in another one. */
  readonly offset: string;
  readonly rows: number;
  /** Numbers of a row. */
  readonly width: number;
}

/** A table of words that is open. */
export interface Words {
  readonly width: number;
  /** The rows of tokens, one after another. */
  rowsOf(tokens: readonly number[]): Float32Array;
  close(): void;
}

/** Opens the table of words in a model's folder; undefined for a model that has it in its graph. */
export function openWords(folder: string): Words | undefined {
  const place = readPlace(join(folder, WORDS.place));
  if (place === undefined) return undefined;
  const { rows, width } = place, start = Number(place.offset);
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

function readPlace(path: string): WordsPlace | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  return JSON.parse(text) as WordsPlace;
}
