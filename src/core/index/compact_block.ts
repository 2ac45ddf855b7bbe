import type { PassageHit } from "./corpus.ts";
import { type Kernel, RowMemory } from "./kernel.ts";
import {
  type ComparedPassage,
  isSwept,
  nearestOf,
  type PassageBlock,
  PassageRows,
  type SearchOptions,
  type StoredPassage,
} from "./passage_rows.ts";
import { LANES, shortDots } from "./short_dots.ts";

/** What the largest number of a row becomes. */
const MOST = 127;
/** The same of the query, which costs no memory: a dot product of 384 numbers still has room in 32 bits. */
const MOST_OF_QUERY = 32_767;
/** Room for more rows, of those that there are: to move all of them takes long. */
const SPARE = 1.1;
/**
 * The passages of a memory folder that is not small, a byte a number: a fifth of the memory of `VectorBlock`, and cosines that are
 * off by some .001. Those of the nearest are to be made exact by who has the vectors themselves. Each type has rows of
 * its own, because a block of memories asks several times for the nearest of one type.
 */
export class CompactBlock implements PassageBlock {
  readonly isExact = false;
  readonly #dimensions: number;
  readonly #byType = new Map<string, BytesOfType>();

  private constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  /** An empty one; undefined where this machine has no instructions for it. */
  static make(dimensions: number): CompactBlock | undefined {
    return BytesOfType.make(dimensions, FEWEST) && new CompactBlock(dimensions);
  }

  get size(): number {
    return [...this.#byType.values()].reduce((sum, { size }) => sum + size, 0);
  }

  get bytes(): number {
    return [...this.#byType.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  add(passage: StoredPassage): void {
    let rows = this.#byType.get(passage.type);
    if (rows === undefined) {
      rows = BytesOfType.make(this.#dimensions, FEWEST);
      if (rows === undefined) throw new Error("There is no memory for more vectors");
      this.#byType.set(passage.type, rows);
    }
    rows.add(passage);
  }

  remove(memory: number): void {
    for (const rows of this.#byType.values()) if (rows.remove(memory)) return;
  }

  search(query: Float32Array, { limit, also, takes }: SearchOptions): PassageHit[] {
    const nearest = new Nearest(limit, also);
    for (const [type, rows] of this.#byType) {
      if (takes?.(type) ?? true) rows.compare(query, nearest);
    }
    return nearest.found().map(({ rows, row }) => rows.hit(row));
  }
}

/** Room for the first passages of a type. */
const FEWEST = 1024;

/** The passages of one type, a byte a number. */
class BytesOfType {
  readonly #memory: RowMemory;
  readonly #multiply: Kernel;
  #rows: PassageRows;
  /** What 1 stands for in each row. */
  #scales: Float32Array;
  #count = 0;
  #dead = 0;
  #scaleOfQuery = 1;

  private constructor(
    capacity: number,
    { memory, multiply }: { memory: RowMemory; multiply: Kernel },
  ) {
    this.#memory = memory;
    this.#multiply = multiply;
    this.#rows = new PassageRows(capacity);
    this.#scales = new Float32Array(capacity);
  }

  /** Room for `capacity` passages; undefined where this machine has no instructions for it. */
  static make(dimensions: number, capacity: number): BytesOfType | undefined {
    const width = Math.ceil(dimensions / LANES) * LANES;
    try {
      const memory = new RowMemory({ query: 2 * width, stride: width, capacity });
      const multiply = shortDots(width, memory.memory);
      return multiply && new BytesOfType(capacity, { memory, multiply });
    } catch {
      return undefined; // so much memory cannot be had
    }
  }

  get size(): number {
    return this.#count - this.#dead;
  }

  get bytes(): number {
    return this.#memory.bytes;
  }

  add(passage: StoredPassage): void {
    if (this.#count === this.#rows.capacity) this.#grow();
    const row = this.#count++;
    this.#scales[row] = inWhole(passage.vector, this.#memory.bytesOf(row), MOST);
    this.#rows.set(row, passage);
  }

  /** Whether it had any of the memory. */
  remove(memory: number): boolean {
    const { memory: memories } = this.#rows;
    const before = this.#dead;
    for (let row = memories.indexOf(memory); row >= 0; row = memories.indexOf(memory, row + 1)) {
      if (row >= this.#count) break;
      memories[row] = -1;
      this.#dead++;
    }
    const had = this.#dead > before;
    if (isSwept(this.#dead, this.#count)) this.#sweep();
    return had;
  }

  /** Offers each memory with the cosine of its nearest passage. */
  compare(query: Float32Array, nearest: Nearest): void {
    const { memory: memories } = this.#rows, count = this.#count;
    const memory = this.#memory, dots = memory.results(), scales = this.#scales;
    const scale = this.#scaleOfQuery = inWhole(query, memory.query(), MOST_OF_QUERY);
    let { bar } = nearest, first = 0, last = -1, best = NaN; // nothing is nearer than NaN
    for (let start = 0; start < count; start += dots.length) {
      const end = Math.min(count, start + dots.length);
      this.#multiply(memory.address(start), memory.address(end), memory.out);
      for (let row = start; row < end; row++) {
        const of = memories[row]!;
        if (of < 0) continue;
        const cosine = dots[row - start]! * scales[row]! * scale;
        if (of === last) {
          if (cosine > best) best = cosine;
          continue;
        }
        if (best >= bar || nearest.mayBeAskedFor(last)) {
          bar = nearest.offer({ rows: this, row: first, memory: last, cosine: best });
        }
        first = row;
        last = of;
        best = cosine;
      }
    }
    if (last >= 0) nearest.offer({ rows: this, row: first, memory: last, cosine: best });
  }

  /** Compares the rows of the memory that begins in a row with the query; returns where they end. */
  #multiplyFrom(begin: number): number {
    const { memory: memories } = this.#rows, memory = this.#memory;
    let end = begin + 1;
    while (end < this.#count && end - begin < memory.atOnce && memories[end] === memories[begin]) {
      end++;
    }
    this.#multiply(memory.address(begin), memory.address(end), memory.out);
    return end;
  }

  /** The memory that begins in a row, with its nearest passage to the query that the rows were compared with last. */
  hit(begin: number): PassageHit {
    const { memory: memories, start: starts, end: ends } = this.#rows;
    const end = this.#multiplyFrom(begin), dots = this.#memory.results();
    const scale = this.#scaleOfQuery;
    const passages: ComparedPassage[] = [];
    for (let row = begin; row < end; row++) {
      const cosine = dots[row - begin]! * this.#scales[row]! * scale;
      passages.push({ cosine, start: starts[row]!, end: ends[row]! });
    }
    return { memory: memories[begin]!, ...nearestOf(passages) };
  }

  #grow(): void {
    const capacity = Math.ceil((this.#count + 1) * SPARE);
    this.#rows = this.#rows.larger(capacity);
    const scales = new Float32Array(capacity);
    scales.set(this.#scales);
    this.#scales = scales;
    this.#memory.grow(capacity);
  }

  #sweep(): void {
    this.#count = this.#rows.sweep(this.#count, (from, to) => {
      this.#memory.bytesOf(to).set(this.#memory.bytesOf(from));
      this.#scales[to] = this.#scales[from]!;
    });
    this.#dead = 0;
  }
}

/** A memory that is compared with a query. */
interface Compared {
  readonly rows: BytesOfType;
  /** Its first one. */
  readonly row: number;
  readonly memory: number;
  /** Of its nearest passage. */
  readonly cosine: number;
}

/**
 * Takes the nearest memories out of those that it is offered, and those that are asked for. What is far is never
 * written down: among 100,000 memories that takes longer than to read it.
 */
class Nearest {
  readonly #limit: number;
  readonly #also: ReadonlySet<number> | undefined;
  /** To look into a small table first is quicker than to ask a set about each memory. */
  readonly #asked = new Uint8Array(ASKED);
  readonly #far: Compared[] = [];
  #near: Compared[] = [];
  #bar = -Infinity;

  constructor(limit: number, also: ReadonlySet<number> | undefined) {
    this.#limit = limit;
    this.#also = also;
    for (const memory of also ?? []) this.#asked[placeOf(memory)] = 1;
  }

  /** What is further is not among the nearest. */
  get bar(): number {
    return this.#bar;
  }

  mayBeAskedFor(memory: number): boolean {
    return this.#asked[placeOf(memory)] === 1;
  }

  /** Returns the bar for the next one. */
  offer(compared: Compared): number {
    if (compared.cosine >= this.#bar) {
      this.#near.push(compared);
      if (this.#near.length > CROWD * this.#limit) this.#thin();
    } else if (this.#also?.has(compared.memory)) this.#far.push(compared);
    return this.#bar;
  }

  /** The nearest, and those that are asked for besides. */
  found(): readonly Compared[] {
    this.#thin();
    return [...this.#near, ...this.#far];
  }

  #thin(): void {
    if (this.#near.length <= this.#limit) return;
    const cosines = Float64Array.from(this.#near, ({ cosine }) => cosine).sort();
    const bar = this.#bar = cosines[cosines.length - this.#limit]!;
    this.#far.push(
      ...this.#near.filter(({ cosine, memory }) => cosine < bar && this.#also?.has(memory)),
    );
    this.#near = this.#near.filter(({ cosine }) => cosine >= bar);
  }
}

/** The places of that table: a power of two. */
const ASKED = 1 << 16;

function placeOf(memory: number): number {
  return memory & ASKED - 1;
}

/** The nearest are looked for among so many times as many. */
const CROWD = 4;

/** Puts a vector into whole numbers up to `most`; returns what 1 stands for. */
function inWhole(vector: Float32Array, whole: Int8Array | Int16Array, most: number): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  const perWhole = most / (largest || 1);
  // To add a half and cut off rounds as well as `Math.round`, in a third of the time.
  for (let i = 0; i < vector.length; i++) {
    whole[i] = (vector[i]! * perWhole + most + 0.5 | 0) - most;
  }
  whole.fill(0, vector.length);
  return 1 / perWhole;
}
