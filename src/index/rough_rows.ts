import type { Kernel } from "./kernel.ts";
import { shortDots } from "./short_dots.ts";

/** Lower and upper bounds of each row's dot product. */
export interface Bounds {
  readonly lower: Float32Array;
  readonly upper: Float32Array;
}

/**
 * What a vector's length becomes. No number in it is larger, so that all have room in 16 bits; and no dot product is
 * larger than the two lengths multiplied (Cauchy and Schwarz), which has room in 32.
 */
const LENGTH = 32_700;
/** Above what all additions of 32- and 64-bit floats round off in a dot product of unit vectors. */
const ROUNDING = 1e-6;

/**
 * A second copy of the rows of a matrix in half of its memory, by which nearly all of them are ruled out at a tenth of
 * the time: each number is a whole one times the row's scale. How far that is from the row is known exactly (`off`),
 * and a dot product differs by at most that length times the query's (Cauchy and Schwarz again).
 */
export class RoughRows {
  readonly #width: number;
  readonly #query: Int16Array;
  readonly #dots: Int32Array;
  readonly #rows: Int16Array;
  readonly #multiply: Kernel;
  /** What 1 stands for in each row, and the length of the difference between the row and what stands for it. */
  readonly #scales: Float64Array;
  readonly #off: Float64Array;
  /** The largest length of a row, and the largest difference. */
  #longest = 0;
  #furthest = 0;

  private constructor(
    width: number,
    capacity: number,
    memory: WebAssembly.Memory,
    multiply: Kernel,
  ) {
    const { dots, rows } = layout(width, capacity);
    this.#width = width;
    this.#multiply = multiply;
    this.#query = new Int16Array(memory.buffer, 0, width);
    this.#dots = new Int32Array(memory.buffer, dots, capacity);
    this.#rows = new Int16Array(memory.buffer, rows, width * capacity);
    this.#scales = new Float64Array(capacity);
    this.#off = new Float64Array(capacity);
  }

  /** Room for `capacity` rows of `width` numbers; undefined where this machine has no instructions for it. */
  static make(width: number, capacity: number): RoughRows | undefined {
    const pages = Math.ceil(layout(width, capacity).bytes / PAGE);
    try {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
      const multiply = shortDots(width, memory);
      return multiply && new RoughRows(width, capacity, memory, multiply);
    } catch {
      return undefined; // so much memory cannot be had
    }
  }

  get bytes(): number {
    return this.#rows.buffer.byteLength;
  }

  /** Takes a row in, or another in its place. */
  set(row: number, vector: Float32Array): void {
    const at = row * this.#width;
    const { scale, off, length } = inWhole(vector, this.#rows.subarray(at, at + this.#width));
    this.#scales[row] = scale;
    this.#off[row] = off;
    this.#longest = Math.max(this.#longest, length);
    this.#furthest = Math.max(this.#furthest, off);
  }

  /** Between what the dot products of the query with the first `count` rows lie. */
  bounds(query: Float32Array, count: number): Bounds {
    const { scale, off, length } = inWhole(query, this.#query);
    const { byteOffset, BYTES_PER_ELEMENT } = this.#rows;
    const end = byteOffset + count * this.#width * BYTES_PER_ELEMENT;
    if (count > 0) this.#multiply(byteOffset, end, this.#dots.byteOffset);
    // row · query − rounded row · rounded query = (row − rounded row) · query + rounded row · (query − rounded query)
    const ofQuery = (this.#longest + this.#furthest) * off + ROUNDING;
    const lower = new Float32Array(count), upper = new Float32Array(count);
    for (let row = 0; row < count; row++) {
      const rough = this.#dots[row]! * this.#scales[row]! * scale;
      const error = this.#off[row]! * length + ofQuery;
      lower[row] = rough - error;
      upper[row] = rough + error;
    }
    return { lower, upper };
  }
}

/** Puts a vector into whole numbers, towards 0. `off` is the length of what is lost. */
function inWhole(
  vector: Float32Array,
  whole: Int16Array,
): { readonly scale: number; readonly off: number; readonly length: number } {
  let length = 0;
  for (let i = 0; i < vector.length; i++) length += vector[i]! * vector[i]!;
  length = Math.sqrt(length);
  const perWhole = LENGTH / (length || 1), scale = 1 / perWhole;
  let off = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i]!;
    whole[i] = value * perWhole; // cut off there: to round it takes four times as long, and gains a bit
    const lost = value - whole[i]! * scale;
    off += lost * lost;
  }
  whole.fill(0, vector.length);
  return { scale, off: Math.sqrt(off), length };
}

/** The size of a page of WebAssembly's memory. */
const PAGE = 65_536;

/** Where the parts of the memory begin: the query at 0, then the rows, then the dot products. */
function layout(width: number, capacity: number): { rows: number; dots: number; bytes: number } {
  const rows = 2 * width, dots = rows + 2 * width * capacity;
  return { rows, dots, bytes: dots + 4 * capacity };
}
