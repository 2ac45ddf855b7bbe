import { setImmediate } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { IndexedMemory } from "./corpus.ts";
import { PassageBlock, type StoredPassage } from "./passage_block.ts";
import { toVector } from "./rows.ts";
import { BUILTIN_DIMENSIONS, NOT_FOR } from "./schema.ts";

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
    for (const { start, end, vector } of passages) {
      block?.add({ memory: id, type, start, end, vector });
    }
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
