import type { Connection, InStatement } from "./connection.ts";
import type { IndexedMemory } from "./corpus.ts";
import type { FolderVectors } from "./folder_vectors.ts";
import { EMBEDDED_FIRST, NOT_FOR } from "./schema.ts";
import { MEMORY_COLUMNS, type MemoryRow, toBlob, toMemory, toVector } from "./rows.ts";

/** A passage to be stored. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  /** Of the text that was embedded: an unchanged one keeps its vector. */
  readonly hash: string;
  readonly vector: Float32Array;
}

/** A memory, as it was read, with its passages. */
export interface Embedded {
  readonly seen: IndexedMemory;
  readonly passages: readonly Passage[];
}

/** Embedding a memory is begun this often; after that it is found by its words alone. */
const MAX_TRIES = 2;
/** UTF-16 units of a body that could keep a process busy for long. */
const LONG = 8192;

/** Whether a memory could end a process: it is embedded by itself, and its tries are counted. */
export function isLong({ body }: Pick<IndexedMemory, "body">): boolean {
  return body.length >= LONG;
}

/** The memories, and entries of history, that wait for their vectors. */
export class EmbeddingQueue {
  readonly #db: Connection;
  readonly #vectors: FolderVectors;

  constructor(db: Connection, vectors: FolderVectors) {
    this.#db = db;
    this.#vectors = vectors;
  }

  /** Those that wait: rules first, then the newest memories, then history; without those that are given up. */
  async pending(limit: number): Promise<IndexedMemory[]> {
    const found = await this.#db.read<MemoryRow>(
      `SELECT ${MEMORY_COLUMNS} FROM memories m INDEXED BY memories_to_embed JOIN folders f ON f.id = m.folder
        WHERE m.embedded = 0 AND m.tries < ${MAX_TRIES} 
        ORDER BY ${EMBEDDED_FIRST}, m.mtime_ms DESC, m.id LIMIT ?`,
      [limit],
    );
    return found.map(toMemory);
  }

  /** How many memories wait, or entries of history. */
  async size({ isPast = false } = {}): Promise<number> {
    return await this.#db.count(
      `SELECT count(*) FROM memories WHERE embedded = 0 AND past = ? AND tries < ${MAX_TRIES}`,
      [Number(isPast)],
    );
  }

  /** Memories whose vectors could not be made: the process died each time it was at them. */
  async skippedAfterFailures(): Promise<string[]> {
    const found = await this.#db.read<[string]>(
      `SELECT path FROM memories WHERE embedded = 0 AND past = 0 AND tries >= ${MAX_TRIES} ORDER BY path`,
    );
    return found.flat();
  }

  /** Notes that the vectors of one are begun, until they are `put`: only a long one could end a process. */
  async begin(memory: IndexedMemory): Promise<void> {
    if (!isLong(memory)) return;
    await this.#db.read(`UPDATE memories SET tries = tries + 1 WHERE id = ?`, [memory.id]);
  }

  /** Notes that they were stopped on purpose. */
  async putOff(memory: IndexedMemory): Promise<void> {
    if (!isLong(memory)) return;
    await this.#db.read(`UPDATE memories SET tries = 0 WHERE id = ?`, [memory.id]);
  }

  /** The vectors that one has, by hash. */
  async vectorsOf(memory: number): Promise<Map<string, Float32Array>> {
    const found = await this.#db.read<[string, Uint8Array]>(
      `SELECT hash, vector FROM passages WHERE memory = ?`,
      [memory],
    );
    return new Map(found.map(([hash, vector]) => [hash, toVector(vector)]));
  }

  /**
   * Replaces the passages of memories, unless a memory has changed or gone since it was `seen`, in one transaction;
   * after a part of them it goes on waiting for the rest.
   */
  async put(all: readonly Embedded[], { isPartial = false } = {}): Promise<void> {
    const statements = all.map((one) => putStatements(one, isPartial));
    const results = await this.#db.write(statements.flat());
    let last = -1;
    for (const [i, { length }] of statements.entries()) {
      const folder = results[last += length]?.[0]?.[0];
      if (folder === undefined) continue;
      const { seen, passages } = all[i]!;
      this.#vectors.replace(
        Number(folder),
        seen,
        passages.filter(({ start }) => start !== NOT_FOR),
      );
    }
  }
}

/** What takes the place of a memory's passages; the last statement returns its folder. */
function putStatements({ seen, passages }: Embedded, isPartial: boolean): InStatement[] {
  const same = `SELECT id FROM memories WHERE id = ? AND mtime_ms = ? AND size = ?`;
  const args = [seen.id, seen.mtimeMs, seen.size];
  return [
    { sql: `DELETE FROM passages WHERE memory IN (${same})`, args },
    ...passages.map(({ start, end, hash, vector }) => ({
      sql:
        `INSERT INTO passages (memory, start, "end", hash, vector) SELECT id, ?, ?, ?, ? FROM (${same})`,
      args: [start, end, hash, toBlob(vector), ...args],
    })),
    {
      sql: `UPDATE memories SET embedded = ${
        isPartial ? 0 : 1
      }, tries = 0 WHERE id IN (${same}) RETURNING folder`,
      args,
    },
  ];
}
