import type { NearestOptions, PassageHit } from "./corpus.ts";

/** A passage with its vector, as the database holds it. */
export interface StoredPassage {
  readonly memory: number;
  /** Type of that memory; of an entry of history its day. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly vector: Float32Array;
}

export interface SearchOptions extends NearestOptions {
  /** The types that count; undefined: all. */
  readonly takes?: ((type: string) => boolean) | undefined;
}

/** The passages of one memory folder in memory, to be searched. */
export interface PassageBlock {
  /** How many passages. */
  readonly size: number;
  /** The memory that the vectors take. */
  readonly bytes: number;
  /** Whether the cosines of its hits are exact. */
  readonly isExact: boolean;
  add(passage: StoredPassage): void;
  /** Takes a memory's passages out. */
  remove(memory: number): void;
  /**
   * The nearest passage to a unit vector (cosine = dot product of unit vectors) of the nearest memories and of those
   * in `also`, in no order, for the types that `takes` lets in.
   */
  search(query: Float32Array, options: SearchOptions): PassageHit[];
}

/** Rows of removed passages are swept out when they are more than this share. */
const MAX_DEAD = 0.25;

/** Whether so many removed rows of `count` are worth sweeping out. */
export function isSwept(dead: number, count: number): boolean {
  return dead > 64 && dead > count * MAX_DEAD;
}

/**
 * The share in a memory's nearness of the average over its views: description, triggers, and the best passage of its
 * body. The rest is the best view's. Measured on coding-agent and retention, bench/README.md.
 */
const ALL_VIEWS = 0.3;

/** How near a memory is whose best passage has this cosine, and whose views have this on average. */
export function nearnessOf(cosine: number, mean: number): number {
  return (1 - ALL_VIEWS) * cosine + ALL_VIEWS * mean;
}

/** The passages of a memory folder row by row, without their vectors. Those of one memory lie side by side. */
export class PassageRows {
  /** −1: taken out. */
  readonly memory: Int32Array;
  /** Of the memory, as a number of `PassageTypes`. */
  readonly type: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;

  constructor(capacity: number) {
    this.memory = new Int32Array(capacity);
    this.type = new Int32Array(capacity);
    this.start = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
  }

  get capacity(): number {
    return this.memory.length;
  }

  /** The same rows, with room for more. */
  larger(capacity: number): PassageRows {
    const rows = new PassageRows(capacity);
    for (const name of COLUMNS) rows[name].set(this[name]);
    return rows;
  }

  set(row: number, { memory, start, end }: PassagePlace, type = 0): void {
    this.memory[row] = memory;
    this.type[row] = type;
    this.start[row] = start;
    this.end[row] = end;
  }

  /**
   * Closes the gaps that removed memories have left in the first `count` rows, and returns how many remain; `moved` is
   * told of each row that is in another place now, in order.
   */
  sweep(count: number, moved: (from: number, to: number) => void): number {
    let to = 0;
    for (let from = 0; from < count; from++) {
      if (this.memory[from]! < 0) continue;
      if (to !== from) {
        for (const name of COLUMNS) this[name][to] = this[name][from]!;
        moved(from, to);
      }
      to++;
    }
    return to;
  }
}

/** Where a passage lies. */
interface PassagePlace {
  readonly memory: number;
  readonly start: number;
  readonly end: number;
}

const COLUMNS = ["memory", "type", "start", "end"] as const satisfies readonly (
  keyof PassageRows
)[];

/** Numbers for the types of memories. */
export class PassageTypes {
  readonly #numbers = new Map<string, number>();

  numberOf(type: string): number {
    const known = this.#numbers.get(type) ?? this.#numbers.size;
    this.#numbers.set(type, known);
    return known;
  }

  nameOf(number: number): string {
    return [...this.#numbers.keys()][number]!;
  }

  /** By number, whether a type counts. */
  taken(takes: ((type: string) => boolean) | undefined): boolean[] {
    return [...this.#numbers.keys()].map((type) => takes?.(type) ?? true);
  }
}

/** What is known of a passage's nearness. */
export interface ComparedPassage {
  readonly cosine: number;
  readonly start: number;
  readonly end: number;
}

/** How near a memory with these passages is, and the nearest of them. */
export function nearestOf(passages: readonly ComparedPassage[]): Omit<PassageHit, "memory"> {
  let nearest = passages[0]!, views = 0, sum = 0, body = -Infinity;
  for (const passage of passages) {
    const { cosine, start, end } = passage;
    if (cosine > nearest.cosine) nearest = passage;
    if (end > start) {
      body = Math.max(body, cosine);
    } else {
      views++;
      sum += cosine;
    }
  }
  if (body > -Infinity) {
    views++;
    sum += body;
  }
  const { cosine, start, end } = nearest;
  return { cosine, nearness: nearnessOf(cosine, sum / views), views, start, end };
}
