import { setImmediate } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { IndexedMemory, NearestOptions, PassageHit } from "./corpus.ts";
import { toVector } from "./rows.ts";
import { BUILTIN_DIMENSIONS, NOT_FOR } from "./database.ts";

/** Rows of vectors that are read at a time. */
const READ_AT_ONCE = 1000;
/** Room for vectors, of those that there are: without any to spare, the next one would have all of them copied. */
const SPARE = 1.1;

/** The vectors of each folder in memory, read on demand and updated on every write. */
export class FolderVectors {
  readonly #db: Connection;
  readonly #blocks = new Map<number, PassageBlock>();
  readonly #loading = new Map<number, Promise<PassageBlock>>();
  #version = 0;
  /** Writes of others that it knows of. */
  #foreign = 0;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The memory that they take. */
  get bytes(): number {
    return [...this.#blocks.values()].reduce((sum, block) => sum + block.bytes, 0);
  }

  /** A folder's vectors, read once for all who ask at the same time. */
  of(folder: number): Promise<PassageBlock> {
    if (this.#foreign !== this.#db.foreignWrites) this.forget();
    const known = this.#blocks.get(folder);
    if (known !== undefined) return Promise.resolve(known);
    const loading = this.#loading.get(folder) ??
      this.#load(folder).finally(() => this.#loading.delete(folder));
    this.#loading.set(folder, loading);
    return loading;
  }

  /** Replaces the passages of a memory. */
  replace(
    folder: number,
    { id, type }: Pick<IndexedMemory, "id" | "type">,
    passages: readonly Omit<StoredPassage, "memory" | "type">[],
  ): void {
    this.#version++;
    const block = this.#blocks.get(folder);
    block?.remove(id);
    for (const passage of passages) block?.add({ memory: id, type, ...passage });
  }

  remove(memories: readonly number[]): void {
    this.#version++;
    for (const block of this.#blocks.values()) for (const id of memories) block.remove(id);
  }

  /** Drops all of them: they may have changed. */
  forget(): void {
    this.#version++;
    this.#foreign = this.#db.foreignWrites;
    this.#blocks.clear();
  }

  async #load(folder: number): Promise<PassageBlock> {
    const version = this.#version;
    const block = await readBlock(this.#db, folder);
    // It may lack concurrent writes, so it answers the present callers and is not cached.
    if (version === this.#version) this.#blocks.set(folder, block);
    return block;
  }
}

/** Reads a folder's vectors, some at a time: each row takes several times its size on the way. */
async function readBlock(db: Connection, folder: number): Promise<PassageBlock> {
  const count = await db.count(
    `SELECT count(*) FROM passages p JOIN memories m ON m.id = p.memory
      WHERE m.folder = ? AND p.start > ${NOT_FOR}`,
    [folder],
  );
  const dimensions = Number(await db.meta("dimensions") ?? BUILTIN_DIMENSIONS);
  const block = new PassageBlock(dimensions, Math.ceil(count * SPARE));
  for (let [memory, passage] = [0, 0], isDone = false; !isDone;) {
    const rows = await db.read<[number, number, number, number, Uint8Array, string]>(
      `SELECT p.memory, p.id, p.start, p."end", p.vector, m.type FROM passages p
        CROSS JOIN memories m INDEXED BY memories_kind ON m.id = p.memory
        WHERE m.folder = ? AND p.start > ${NOT_FOR} AND (p.memory, p.id) > (?, ?) ORDER BY p.memory, p.id LIMIT ?`,
      [folder, memory, passage, READ_AT_ONCE],
    );
    for (const [of, id, start, end, vector, type] of rows) {
      [memory, passage] = [of, id];
      block.add({ memory, start, end, vector: toVector(vector), type });
    }
    isDone = rows.length < READ_AT_ONCE;
    if (!isDone) await setImmediate();
  }
  return block;
}

/** A passage with its vector, as the database holds it. */
interface StoredPassage extends BodySpan {
  readonly memory: number;
  /** Type of that memory. */
  readonly type: string;
  readonly vector: Float32Array;
}

/** Where a passage lies in the body; a view that is no stretch of it (description, triggers) has no length. */
interface BodySpan {
  readonly start: number;
  readonly end: number;
}

/** A cosine adds so many products at a time, and rows are filled up with zeros to a multiple of it. */
const LANES = 8;
/** The block grows by this factor. */
const GROWTH = 1.25;
/** Rows of removed passages are swept out when they are more than this share, and more than these. */
const MAX_DEAD = { share: 0.25, rows: 64 };

/** A folder's passages in one block, those of a memory side by side: a scan costs a fraction of the same in SQL. */
export class PassageBlock {
  readonly #width: number;
  #matrix: Float32Array;
  /** Without the vectors; undefined: removed. */
  #rows: (Omit<StoredPassage, "vector"> | undefined)[] = [];
  #dead = 0;

  constructor(dimensions: number, capacity = 64) {
    this.#width = Math.ceil(dimensions / LANES) * LANES;
    this.#matrix = new Float32Array(this.#width * Math.max(1, capacity));
  }

  /** The memory that the vectors take. */
  get bytes(): number {
    return this.#matrix.byteLength;
  }

  add({ vector, memory, type, start, end }: StoredPassage): void {
    const row = this.#rows.push({ memory, type, start, end }) - 1;
    if ((row + 1) * this.#width > this.#matrix.length) {
      const larger = new Float32Array(Math.ceil((row + 1) * GROWTH) * this.#width);
      larger.set(this.#matrix);
      this.#matrix = larger;
    }
    this.#matrix.set(vector, row * this.#width);
  }

  /** Removes a memory's passages. */
  remove(memory: number): void {
    for (const [i, row] of this.#rows.entries()) {
      if (row?.memory !== memory) continue;
      this.#rows[i] = undefined;
      this.#dead++;
    }
    const { share, rows } = MAX_DEAD;
    if (this.#dead > rows && this.#dead > this.#rows.length * share) this.#sweep();
  }

  /** The nearest passage to a unit vector, of the nearest memories and of those in `also`, in no order. */
  search(query: Float32Array, { limit, also, takes }: NearestOptions & {
    /** The types that count; undefined: all. */
    readonly takes?: (type: string) => boolean;
  }): PassageHit[] {
    // JavaScript multiplies 64-bit numbers, so the query is widened once.
    const wide = new Float64Array(this.#width);
    wide.set(query);
    // Numbers first, objects for the few that are wanted: with 10,000 memories it is the objects that take time.
    const firsts: number[] = [], best: number[] = [];
    let last = -1, isTaken = false;
    for (let i = 0; i < this.#rows.length; i++) {
      const row = this.#rows[i];
      if (row === undefined) continue;
      if (row.memory !== last) {
        last = row.memory;
        isTaken = takes?.(row.type) ?? true;
        if (isTaken) best[firsts.push(i) - 1] = -Infinity;
      }
      if (!isTaken) continue;
      const cosine = this.#cosine(wide, i);
      if (cosine > best[best.length - 1]!) best[best.length - 1] = cosine;
    }
    const least = best.length > limit ? Float64Array.from(best).sort().at(-limit)! : -Infinity;
    return firsts.filter((first, i) => best[i]! >= least || also?.has(this.#rows[first]!.memory))
      .map((first) => this.#hit(first, wide));
  }

  /** The memory whose passages begin in a row. */
  #hit(first: number, query: Float64Array): PassageHit {
    const { memory } = this.#rows[first]!;
    const passages: ComparedPassage[] = [];
    for (let row = first; this.#rows[row]?.memory === memory; row++) {
      passages.push({ ...this.#rows[row]!, cosine: this.#cosine(query, row) });
    }
    return { memory, ...nearestOf(passages) };
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

  /** Closes the gaps that removed passages have left. */
  #sweep(): void {
    const width = this.#width;
    let to = 0;
    for (const [from, row] of this.#rows.entries()) {
      if (row === undefined) continue;
      this.#matrix.copyWithin(to * width, from * width, (from + 1) * width);
      this.#rows[to++] = row;
    }
    this.#rows.length = to;
    this.#dead = 0;
  }
}

/**
 * The share in a memory's nearness of the average over its views: description, triggers, and the best passage of its
 * body. The rest is the best view's. Measured on coding-agent and retention, bench/notes.md.
 */
const ALL_VIEWS = 0.3;

/** A passage that was compared with a query. */
interface ComparedPassage extends BodySpan {
  readonly cosine: number;
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
  const nearness = (1 - ALL_VIEWS) * cosine + ALL_VIEWS * sum / views;
  return { cosine, nearness, views, start, end };
}
