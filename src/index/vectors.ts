import type { PassageHit } from "./corpus.ts";

/** A passage with its vector, as the database holds it. */
export interface StoredPassage {
  readonly memory: number;
  /** Type of that memory. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly vector: Float32Array;
}

/** Rows of removed passages are swept out when they are more than this share. */
const MAX_DEAD = 0.25;

interface Row {
  memory: number;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The passages of one memory folder in one block of memory, for exact search.
 * At 10,000 memories a scan of it costs a fraction of what the same scan costs inside SQL, row by row.
 */
export class VectorBlock {
  readonly #dimensions: number;
  #matrix: Float32Array;
  #rows: Row[] = [];
  #dead = 0;

  constructor(dimensions: number, capacity = 64) {
    this.#dimensions = dimensions;
    this.#matrix = new Float32Array(dimensions * Math.max(1, capacity));
  }

  get size(): number {
    return this.#rows.length - this.#dead;
  }

  add(passage: StoredPassage): void {
    const at = this.#rows.length * this.#dimensions;
    if (at + this.#dimensions > this.#matrix.length) {
      const larger = new Float32Array(this.#matrix.length * 2);
      larger.set(this.#matrix);
      this.#matrix = larger;
    }
    this.#matrix.set(passage.vector, at);
    const { memory, type, start, end } = passage;
    this.#rows.push({ memory, type, start, end });
  }

  /** Takes a memory's passages out. */
  remove(memory: number): void {
    for (const row of this.#rows) {
      if (row.memory !== memory) continue;
      row.memory = -1;
      this.#dead++;
    }
    if (this.#dead > 64 && this.#dead > this.#rows.length * MAX_DEAD) this.#sweep();
  }

  /**
   * Each memory's nearest passage to a unit vector (cosine = dot product of unit vectors), in no order, for the
   * types that `takes` lets in. The passages of one memory lie side by side.
   */
  search(query: Float32Array, takes?: (type: string) => boolean): PassageHit[] {
    const hits: PassageHit[] = [];
    let row: Row | undefined, best = -Infinity;
    const finish = () => {
      if (row !== undefined) {
        hits.push({ memory: row.memory, cosine: best, start: row.start, end: row.end });
      }
    };
    for (const [i, next] of this.#rows.entries()) {
      if (next.memory < 0 || takes?.(next.type) === false) continue;
      const cosine = this.#cosine(query, i * this.#dimensions);
      if (row?.memory !== next.memory) finish();
      else if (cosine <= best) continue;
      row = next;
      best = cosine;
    }
    finish();
    return hits;
  }

  #cosine(query: Float32Array, at: number): number {
    const matrix = this.#matrix, width = this.#dimensions;
    // Four sums at once: the additions of one long sum would wait for each other.
    let a = 0, b = 0, c = 0, d = 0;
    for (let j = 0; j < width; j += 4) {
      a += matrix[at + j]! * query[j]!;
      b += matrix[at + j + 1]! * query[j + 1]!;
      c += matrix[at + j + 2]! * query[j + 2]!;
      d += matrix[at + j + 3]! * query[j + 3]!;
    }
    return a + b + c + d;
  }

  #sweep(): void {
    let to = 0;
    for (let from = 0; from < this.#rows.length; from++) {
      if (this.#rows[from]!.memory < 0) continue;
      if (to !== from) {
        this.#rows[to] = this.#rows[from]!;
        this.#matrix.copyWithin(
          to * this.#dimensions,
          from * this.#dimensions,
          (from + 1) * this.#dimensions,
        );
      }
      to++;
    }
    this.#rows.length = to;
    this.#dead = 0;
  }
}
