import { LANES } from "./short_dots.ts";
import type { PassageHit } from "./corpus.ts";
import {
  isSwept,
  nearnessOf,
  type PassageBlock,
  PassageRows,
  PassageTypes,
  type SearchOptions,
  type StoredPassage,
} from "./passage_rows.ts";

/**
 * The passages of one memory folder in one block of memory, for exact search.
 * A scan of it costs a fraction of what the same scan costs inside SQL, row by row.
 */
export class VectorBlock implements PassageBlock {
  readonly isExact = true;
  readonly dimensions: number;
  readonly #width: number;
  #matrix: Float32Array;
  #rows: PassageRows;
  readonly #types = new PassageTypes();
  #count = 0;
  #dead = 0;

  constructor(dimensions: number, capacity = 64) {
    this.dimensions = dimensions;
    this.#width = Math.ceil(dimensions / LANES) * LANES;
    this.#matrix = new Float32Array(this.#width * Math.max(1, capacity));
    this.#rows = new PassageRows(this.#capacity);
  }

  get size(): number {
    return this.#count - this.#dead;
  }

  /** Every passage. */
  *passages(): Iterable<StoredPassage> {
    const { memory, type, start, end } = this.#rows;
    for (let row = 0; row < this.#count; row++) {
      if (memory[row]! < 0) continue;
      const place = { memory: memory[row]!, start: start[row]!, end: end[row]! };
      yield {
        ...place,
        type: this.#types.nameOf(type[row]!),
        vector: this.#vectorIn(row).subarray(0, this.dimensions),
      };
    }
  }

  /** The memory that the vectors take. */
  get bytes(): number {
    return this.#matrix.byteLength;
  }

  add(passage: StoredPassage): void {
    if (this.#count === this.#capacity) this.#grow();
    const row = this.#count++;
    this.#matrix.set(passage.vector, row * this.#width);
    this.#rows.set(row, passage, this.#types.numberOf(passage.type));
  }

  /** Takes a memory's passages out. */
  remove(memory: number): void {
    const { memory: memories } = this.#rows;
    for (let row = memories.indexOf(memory); row >= 0; row = memories.indexOf(memory, row + 1)) {
      if (row >= this.#count) break;
      memories[row] = -1;
      this.#dead++;
    }
    if (isSwept(this.#dead, this.#count)) this.#sweep();
  }

  search(query: Float32Array, { limit, also, takes }: SearchOptions): PassageHit[] {
    const { memory: memories, start: starts, end: ends } = this.#rows;
    const first = this.#firstRows(takes);
    // JavaScript multiplies 64-bit numbers, so the query is widened once.
    const wide = new Float64Array(this.#width);
    wide.set(query);
    // Numbers first, objects for the few that are wanted: with 10,000 memories it is the objects that take time.
    const rows = new Int32Array(first.length), cosines = new Float32Array(first.length);
    for (let i = 0; i < first.length; i++) {
      const memory = memories[first[i]!]!;
      cosines[i] = -Infinity;
      for (let row = first[i]!; row < this.#count && memories[row] === memory; row++) {
        const cosine = this.#cosine(wide, row);
        if (cosine <= cosines[i]!) continue;
        rows[i] = row;
        cosines[i] = cosine;
      }
    }
    const least = first.length > limit ? cosines.toSorted()[first.length - limit]! : -Infinity;
    const hits: PassageHit[] = [];
    for (let i = 0; i < first.length; i++) {
      const row = rows[i]!, memory = memories[row]!, cosine = cosines[i]!;
      if (cosine < least && !also?.has(memory)) continue;
      const { views, mean } = this.#viewsOf(first[i]!, wide);
      const nearness = nearnessOf(cosine, mean);
      hits.push({ memory, cosine, nearness, views, start: starts[row]!, end: ends[row]! });
    }
    return hits;
  }

  /** The views of the memory that begins in a row, and the average of their cosines. */
  #viewsOf(first: number, query: Float64Array): { views: number; mean: number } {
    const { memory: memories, start: starts, end: ends } = this.#rows;
    let views = 0, sum = 0, body = -Infinity;
    for (let row = first; row < this.#count && memories[row] === memories[first]; row++) {
      if (ends[row]! > starts[row]!) {
        body = Math.max(body, this.#cosine(query, row));
      } else {
        views++;
        sum += this.#cosine(query, row);
      }
    }
    if (body > -Infinity) {
      views++;
      sum += body;
    }
    return { views, mean: sum / views };
  }

  /** The first row of each memory of the types that count. */
  #firstRows(takes: SearchOptions["takes"]): Int32Array {
    const { memory: memories, type: types } = this.#rows;
    const isTaken = this.#types.taken(takes);
    const first = new Int32Array(this.#count);
    let found = 0;
    for (let row = 0, last = -1; row < this.#count; row++) {
      const memory = memories[row]!;
      if (memory < 0 || memory === last || !isTaken[types[row]!]) continue;
      last = memory;
      first[found++] = row;
    }
    return first.subarray(0, found);
  }

  #cosine(query: Float64Array, row: number): number {
    const matrix = this.#matrix, width = this.#width;
    // Eight sums at once: the additions of one long sum would wait for each other.
    let a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    for (let j = 0, k = row * width; j < width; j += LANES, k += LANES) {
      a += matrix[k]! * query[j]!;
      b += matrix[k + 1]! * query[j + 1]!;
      c += matrix[k + 2]! * query[j + 2]!;
      d += matrix[k + 3]! * query[j + 3]!;
      e += matrix[k + 4]! * query[j + 4]!;
      f += matrix[k + 5]! * query[j + 5]!;
      g += matrix[k + 6]! * query[j + 6]!;
      h += matrix[k + 7]! * query[j + 7]!;
    }
    return a + b + c + d + e + f + g + h;
  }

  get #capacity(): number {
    return this.#matrix.length / this.#width;
  }

  #vectorIn(row: number): Float32Array {
    return this.#matrix.subarray(row * this.#width, (row + 1) * this.#width);
  }

  #grow(): void {
    const larger = new Float32Array(this.#matrix.length * 2);
    larger.set(this.#matrix);
    this.#matrix = larger;
    this.#rows = this.#rows.larger(this.#capacity);
  }

  #sweep(): void {
    this.#count = this.#rows.sweep(this.#count, (from, to) => {
      this.#matrix.set(this.#vectorIn(from), to * this.#width);
    });
    this.#dead = 0;
  }
}
