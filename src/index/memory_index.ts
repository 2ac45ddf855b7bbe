import type { Client, InStatement } from "@libsql/client";
import type { MemoryFile, MemoryFolder, Problem, Scope } from "../memory/memory.ts";
import { dirname, join } from "node:path";
import { keyOf, readSuggestions } from "../memory/suggested.ts";
import { TRIGGERS_FILE } from "../paths.ts";
import type { Corpus, IndexedMemory, NearestOptions, PassageHit, TypeFilter } from "./corpus.ts";
import { openDatabase, type Opened } from "./database.ts";
import { FolderVectors } from "./folder_vectors.ts";
import {
  MEMORY_COLUMNS,
  putStatements,
  toBlob,
  toMemory,
  toVector,
  triggersStatements,
} from "./rows.ts";
import { BUILTIN_DIMENSIONS, passagesTable, UNREAD } from "./schema.ts";
import { VectorBlock } from "./vectors.ts";
import { Vocabulary } from "./vocabulary.ts";

/** The index's record of a file. */
export interface KnownFile {
  readonly id: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly hash: string;
  /** Of the file's bytes. */
  readonly digest: string;
}

/** A file that waits for the user's consent. */
export interface WaitingFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Of the file's bytes. */
  readonly digest: string;
}

/** A passage to be stored. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  /** Of the text that was embedded: an unchanged one keeps its vector. */
  readonly hash: string;
  readonly vector: Float32Array;
}

export interface IndexStatistics {
  readonly memories: number;
  readonly passages: number;
  /** Memories that wait for their vectors. */
  readonly pending: number;
  readonly model: string | undefined;
  readonly bytes: number;
}

/**
 * BM25 weights of name, description, triggers, tags, body and their English terms: the subject of a memory counts more
 * than what it mentions.
 */
const FIELD_WEIGHTS = "4.0, 3.0, 3.0, 2.0, 1.0, 1.0";

/** Embedding a memory is begun this often; after that it is found by its words alone. */
const MAX_TRIES = 2;
/** UTF-16 units of a body that could keep a process busy for long. */
const LONG = 8192;

/** Rows of vectors that are read at a time. */
const LOADED_AT_ONCE = 1000;

/** The derived database: memories, their words, their passages with vectors. */
export class Index {
  readonly path: string;
  /** The schema of an older memo that the index had until it was opened: its memories have to be read again. */
  readonly upgradedFrom: number | undefined;
  readonly #client: Client;
  /** The file of suggested triggers. */
  readonly #suggestions: string;
  readonly #folderIds = new Map<string, number>();
  readonly #vectors = new FolderVectors((folder) => this.#readVectors(folder));
  readonly #vocabulary: Vocabulary;
  /** Counts that prompts ask for again and again, by their SQL. */
  #counts = new Map<string, number>();
  /** Counts the writes of all processes; where it differs from ours, another one has written. */
  #generation = -1;

  private constructor({ path, client, upgradedFrom }: Opened) {
    this.path = path;
    this.#suggestions = join(dirname(path), TRIGGERS_FILE);
    this.upgradedFrom = upgradedFrom;
    this.#client = client;
    this.#vocabulary = new Vocabulary(client);
  }

  /** Opens or creates the index; a damaged one is begun anew. Throws an `index` MemoError. */
  static async open(path: string): Promise<Index> {
    return new Index(await openDatabase(path));
  }

  close(): void {
    this.#client.close();
  }

  /** Sets the model whose vectors the index holds. Another than before drops every vector; returns whether it did. */
  async useModel(id: string, dimensions: number): Promise<boolean> {
    const before = await this.#meta("model");
    if (before === id) return false;
    await this.#write([
      ...passagesTable(dimensions),
      `UPDATE memories SET embedded = 0, tries = 0`,
      {
        sql: `REPLACE INTO meta VALUES ('model', ?), ('dimensions', ?)`,
        args: [id, String(dimensions)],
      },
    ]);
    this.#vectors.forget();
    return before !== undefined;
  }

  /** Whether memories are still as an older memo read them: their words are missing until the next sync. */
  async isUnread(): Promise<boolean> {
    return await this.#count(`SELECT EXISTS (SELECT 1 FROM memories WHERE mtime_ms = ${UNREAD})`) >
      0;
  }

  /** The id of a folder, which is entered when it is new. */
  async folderId(folder: MemoryFolder): Promise<number> {
    const known = await this.#client.execute({
      sql: `SELECT id FROM folders WHERE path = ? AND scope = ?`,
      args: [folder.path, folder.scope],
    });
    if (known.rows[0] !== undefined) return Number(known.rows[0][0]);
    const found = await this.#client.execute({
      sql: `INSERT INTO folders (path, scope) VALUES (?, ?)
        ON CONFLICT (path) DO UPDATE SET scope = excluded.scope RETURNING id`,
      args: [folder.path, folder.scope],
    });
    return Number(found.rows[0]![0]);
  }

  /** Every folder that was ever indexed. */
  async folders(): Promise<MemoryFolder[]> {
    const found = await this.#client.execute(`SELECT path, scope FROM folders ORDER BY id`);
    return found.rows.map((row) => ({ path: String(row[0]), scope: String(row[1]) as Scope }));
  }

  /** Forgets folders with all that was in them. */
  async forget(folders: readonly MemoryFolder[]): Promise<number> {
    let forgotten = 0;
    for (const folder of folders) {
      const id = await this.folderId(folder);
      const memories = [...(await this.known(id)).values()].map((file) => file.id);
      await this.remove(memories);
      await this.setWaiting(id, []);
      await this.#write([{ sql: `DELETE FROM folders WHERE id = ?`, args: [id] }]);
      this.#folderIds.delete(folder.path);
      forgotten += memories.length;
    }
    return forgotten;
  }

  /** Since when each folder has been missing from the disk, by path. */
  async missing(): Promise<Map<string, number>> {
    const noted = await this.#meta("missing");
    return new Map(noted === undefined ? [] : JSON.parse(noted) as [string, number][]);
  }

  /** Notes that. */
  async noteMissing(missing: ReadonlyMap<string, number>): Promise<void> {
    const args = [JSON.stringify([...missing])];
    await this.#write([{ sql: `REPLACE INTO meta VALUES ('missing', ?)`, args }]);
  }

  /** The index's records of a folder's files, by path. */
  async known(folder: number): Promise<Map<string, KnownFile>> {
    const found = await this.#client.execute({
      sql: `SELECT path, id, size, mtime_ms, hash, digest FROM memories WHERE folder = ?`,
      args: [folder],
    });
    return new Map(found.rows.map((row) => [String(row[0]), {
      id: Number(row[1]),
      size: Number(row[2]),
      mtimeMs: Number(row[3]),
      hash: String(row[4]),
      digest: String(row[5]),
    }]));
  }

  /** The files of a folder that wait for the user's consent, by path. */
  async waiting(folder: number): Promise<Map<string, WaitingFile>> {
    const found = await this.#client.execute({
      sql: `SELECT path, size, mtime_ms, digest FROM waiting WHERE folder = ?`,
      args: [folder],
    });
    return new Map(found.rows.map((row) => [String(row[0]), {
      path: String(row[0]),
      size: Number(row[1]),
      mtimeMs: Number(row[2]),
      digest: String(row[3]),
    }]));
  }

  /** Notes which files of a folder wait for consent, and no others. */
  async setWaiting(folder: number, files: readonly WaitingFile[]): Promise<void> {
    await this.#client.batch([
      { sql: `DELETE FROM waiting WHERE folder = ?`, args: [folder] },
      ...files.map(({ path, size, mtimeMs, digest }) => ({
        sql: `REPLACE INTO waiting (path, folder, mtime_ms, size, digest) VALUES (?, ?, ?, ?, ?)`,
        args: [path, folder, mtimeMs, size, digest],
      })),
    ], "write");
  }

  /** How many files of these folders wait for consent. */
  async countWaiting(folders: readonly MemoryFolder[]): Promise<number> {
    return await this.#count(
      `SELECT count(*) FROM waiting w JOIN folders f ON f.id = w.folder
        WHERE f.path IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(folders.map(({ path }) => path))],
    );
  }

  /** Enters memories or replaces them; their vectors follow (`putPassages`). `hash` is of the file's bytes. */
  async put(folder: number, files: readonly { file: MemoryFile; hash: string }[]): Promise<void> {
    const suggested = files.some(({ file }) => file.triggers.length === 0)
      ? readSuggestions(this.#suggestions)
      : undefined;
    await this.#write(files.flatMap(({ file, hash }) => {
      const triggers = file.triggers.length > 0 ? file.triggers : suggested?.get(keyOf(file)) ?? [];
      return putStatements(folder, { ...file, triggers }, hash);
    }));
  }

  /** Gives the memories without triggers those that were suggested for them since; returns how many got some. */
  async applySuggestions(): Promise<number> {
    const suggested = readSuggestions(this.#suggestions);
    const bare = await this.#select(`WHERE m.triggers = '[]' ORDER BY m.id`, []);
    const found = bare.flatMap((memory) => {
      const triggers = suggested.get(keyOf(memory)) ?? [];
      return triggers.length === 0 ? [] : [{ memory, triggers }];
    });
    await this.#write(
      found.flatMap(({ memory, triggers }) => triggersStatements(memory, triggers)),
    );
    return found.length;
  }

  /** Notes a new time and size of files whose content is the same. */
  async touch(files: readonly Omit<KnownFile, "hash">[]): Promise<void> {
    await this.#write(files.map(({ id, size, mtimeMs, digest }) => ({
      sql: `UPDATE memories SET size = ?, mtime_ms = ?, digest = ? WHERE id = ?`,
      args: [size, mtimeMs, digest, id],
    })));
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#write(ids.flatMap((id) => [
      { sql: `DELETE FROM words WHERE rowid = ?`, args: [id] },
      { sql: `DELETE FROM passages WHERE memory = ?`, args: [id] },
      { sql: `DELETE FROM memories WHERE id = ?`, args: [id] },
    ]));
    this.#vectors.remove(ids);
  }

  /** Memories that wait for their vectors, oldest first; without those that are given up. */
  async pending(limit: number): Promise<IndexedMemory[]> {
    return await this.#select(
      `WHERE m.embedded = 0 AND m.tries < ${MAX_TRIES} ORDER BY m.id LIMIT ?`,
      [limit],
    );
  }

  /** Memories whose vectors could not be made: the process died each time it was at them. */
  async givenUp(): Promise<string[]> {
    const found = await this.#client.execute(
      `SELECT path FROM memories WHERE embedded = 0 AND tries >= ${MAX_TRIES} ORDER BY path`,
    );
    return found.rows.map((row) => String(row[0]));
  }

  /** Notes that a memory's vectors are begun (`putPassages` ends that); only a long one could end a process. */
  async beginEmbedding({ id, body }: IndexedMemory): Promise<void> {
    if (body.length < LONG) return;
    await this.#client.execute({
      sql: `UPDATE memories SET tries = tries + 1 WHERE id = ?`,
      args: [id],
    });
  }

  /** Notes that a memory's vectors were stopped on purpose. */
  async putOffEmbedding({ id }: IndexedMemory): Promise<void> {
    await this.#client.execute({ sql: `UPDATE memories SET tries = 0 WHERE id = ?`, args: [id] });
  }

  /** The vectors that a memory's passages have, by hash. */
  async vectorsOf(memory: number): Promise<Map<string, Float32Array>> {
    const found = await this.#client.execute({
      sql: `SELECT hash, vector FROM passages WHERE memory = ?`,
      args: [memory],
    });
    return new Map(found.rows.map((row) => [String(row[0]), toVector(row[1])]));
  }

  /**
   * Replaces a memory's passages, unless the memory has changed or gone since `seen` was read. After a part of them
   * the memory goes on waiting for the rest.
   */
  async putPassages(
    seen: IndexedMemory,
    passages: readonly Passage[],
    { isPartial = false }: { readonly isPartial?: boolean } = {},
  ): Promise<void> {
    const same = `SELECT id FROM memories WHERE id = ? AND mtime_ms = ? AND size = ?`;
    const args = [seen.id, seen.mtimeMs, seen.size];
    const results = await this.#write([
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
    ]);
    const folder = results.at(-2)?.rows[0]?.[0];
    if (folder !== undefined) this.#vectors.replace(Number(folder), seen, passages);
  }

  /** The memories of these folders. */
  async corpus(folders: readonly MemoryFolder[]): Promise<Corpus> {
    await this.#followOthers();
    const ids: number[] = [];
    for (const folder of folders) ids.push(await this.#knownFolder(folder.path));
    return this.#corpusOf(ids.filter((id) => id >= 0), undefined);
  }

  /** Takes the vectors of these folders into memory, so that the next prompt does not wait for that. */
  async warm(folders: readonly MemoryFolder[]): Promise<void> {
    await this.#followOthers();
    for (const { path } of folders) {
      const id = await this.#knownFolder(path);
      if (id >= 0) await this.#vectors.of(id);
    }
  }

  /** The memories with these paths that the index has. */
  async byPath(paths: readonly string[]): Promise<IndexedMemory[]> {
    return await this.#select(`WHERE m.path IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(paths),
    ]);
  }

  /** Files with something wrong in them. */
  async problems(): Promise<{ path: string; problems: readonly Problem[] }[]> {
    const found = await this.#client.execute(
      `SELECT path, problems FROM memories WHERE problems <> '[]' ORDER BY path`,
    );
    return found.rows.map((row) => ({
      path: String(row[0]),
      problems: JSON.parse(String(row[1])),
    }));
  }

  async statistics(): Promise<IndexStatistics> {
    return {
      memories: await this.#count(`SELECT count(*) FROM memories`),
      passages: await this.#count(`SELECT count(*) FROM passages`),
      pending: await this.#count(
        `SELECT count(*) FROM memories WHERE embedded = 0 AND tries < ${MAX_TRIES}`,
      ),
      model: await this.#meta("model"),
      bytes: await this.#count(`PRAGMA page_count`) * await this.#count(`PRAGMA page_size`),
    };
  }

  #corpusOf(folders: readonly number[], filter: TypeFilter | undefined): Corpus {
    const inFolders = `m.folder IN (${folders.join(", ") || "NULL"})`;
    const inTypes = filter === undefined
      ? ""
      : ` AND m.type ${filter.except ? "NOT IN" : "IN"} (SELECT value FROM json_each(?))`;
    const args = filter === undefined ? [] : [JSON.stringify(filter.types)];
    const among = inFolders + inTypes;
    return {
      of: (filter) => this.#corpusOf(folders, filter),
      model: async () => await this.#meta("model"),
      size: async () => await this.#counted(`SELECT count(*) FROM memories m WHERE ${among}`, args),
      statistics: async (terms) => {
        const documents = await this.#counted(`SELECT count(*) FROM memories`, []);
        const containing = await this.#vocabulary.containing(terms);
        return { documents, containing: terms.map((term) => containing.get(term) ?? 0) };
      },
      likely: async (term) => await this.#vocabulary.likely(term),
      words: async (terms, limit) => {
        if (terms.length === 0) return [];
        const found = await this.#client.execute({
          sql: `SELECT m.id, -bm25(words, ${FIELD_WEIGHTS}) AS score
            FROM words CROSS JOIN memories m INDEXED BY memories_kind ON m.id = words.rowid
            WHERE words MATCH ? AND ${among} ORDER BY score DESC, m.id LIMIT ?`,
          args: [terms.map((term) => `"${term}"`).join(" OR "), ...args, limit],
        });
        return found.rows.map((row) => ({ memory: Number(row[0]), bm25: Number(row[1]) }));
      },
      named: async (terms, limit) =>
        terms.length === 0 ? [] : await this.#select(
          `JOIN words ON words.rowid = m.id
            WHERE words MATCH ? AND ${among} ORDER BY m.mtime_ms DESC, m.path LIMIT ?`,
          [`{name triggers} : (${terms.map((term) => `"${term}"`).join(" AND ")})`, ...args, limit],
        ),
      nearest: async (vector, options) =>
        await this.#nearest(vector, folders, { ...options, filter }),
      newest: async (limit) =>
        await this.#select(`WHERE ${among} ORDER BY m.mtime_ms DESC, m.path LIMIT ?`, [
          ...args,
          limit,
        ]),
      memories: async (ids) => {
        const found = await this.#select(`WHERE m.id IN (SELECT value FROM json_each(?))`, [
          JSON.stringify(ids),
        ]);
        const byId = new Map(found.map((memory) => [memory.id, memory]));
        return ids.flatMap((id) => byId.get(id) ?? []);
      },
    };
  }

  async #nearest(
    vector: Float32Array,
    folders: readonly number[],
    { limit, also, filter }: NearestOptions & { filter: TypeFilter | undefined },
  ): Promise<PassageHit[]> {
    const takes = filter &&
      ((type: string) => filter.types.includes(type) !== (filter.except ?? false));
    const hits: PassageHit[] = [];
    for (const folder of folders) {
      const block = await this.#vectors.of(folder);
      hits.push(...block.search(vector, { limit, also, takes }));
    }
    hits.sort((a, b) => b.cosine - a.cosine || a.memory - b.memory);
    return hits.filter((hit, rank) => rank < limit || also?.has(hit.memory));
  }

  /** Takes a folder's vectors into memory, some at a time: each row takes several times its size on the way. */
  async #readVectors(folder: number): Promise<VectorBlock> {
    const count = await this.#count(
      `SELECT count(*) FROM passages p JOIN memories m ON m.id = p.memory WHERE m.folder = ?`,
      [folder],
    );
    const dimensions = Number(await this.#meta("dimensions") ?? BUILTIN_DIMENSIONS);
    const block = new VectorBlock(dimensions, count);
    for (let [memory, passage] = [0, 0], isDone = false; !isDone;) {
      const { rows } = await this.#client.execute({
        sql: `SELECT p.memory, p.id, p.start, p."end", p.vector, m.type FROM passages p
          JOIN memories m ON m.id = p.memory
          WHERE m.folder = ? AND (p.memory, p.id) > (?, ?) ORDER BY p.memory, p.id LIMIT ?`,
        args: [folder, memory, passage, LOADED_AT_ONCE],
      });
      for (const row of rows) {
        [memory, passage] = [Number(row[0]), Number(row[1])];
        const [start, end] = [Number(row[2]), Number(row[3])];
        block.add({ memory, start, end, vector: toVector(row[4]), type: String(row[5]) });
      }
      isDone = rows.length < LOADED_AT_ONCE;
    }
    return block;
  }

  /** Drops cached data if another process has written to the index. */
  async #followOthers(): Promise<void> {
    const generation = Number(await this.#meta("generation") ?? 0);
    if (generation !== this.#generation) {
      this.#vectors.forget();
      this.#forgetCounts();
    }
    this.#generation = generation;
  }

  /** Runs one transaction as one generation; ours stays current unless another process wrote in between. */
  async #write(statements: readonly InStatement[]) {
    if (statements.length === 0) return [];
    const results = await this.#client.batch([
      ...statements,
      `INSERT INTO meta VALUES ('generation', '1')
        ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`,
    ], "write");
    const generation = Number(results.at(-1)!.rows[0]![0]);
    if (generation === this.#generation + 1) this.#generation = generation;
    this.#forgetCounts();
    return results;
  }

  #forgetCounts(): void {
    this.#counts.clear();
    this.#vocabulary.forget();
  }

  /** A count, asked of the database once a generation. */
  async #counted(sql: string, args: readonly string[]): Promise<number> {
    const key = JSON.stringify([sql, args]);
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const count = await this.#count(sql, args);
    this.#counts.set(key, count);
    return count;
  }

  async #count(sql: string, args: readonly (string | number)[] = []): Promise<number> {
    return Number((await this.#client.execute({ sql, args: [...args] })).rows[0]![0]);
  }

  async #meta(key: string): Promise<string | undefined> {
    const found = await this.#client.execute({
      sql: `SELECT value FROM meta WHERE key = ?`,
      args: [key],
    });
    const value = found.rows[0]?.[0];
    return value === undefined || value === null ? undefined : String(value);
  }

  /** A folder's id, -1 for one that was never entered; once it has one it keeps it. */
  async #knownFolder(path: string): Promise<number> {
    const known = this.#folderIds.get(path);
    if (known !== undefined) return known;
    const { rows } = await this.#client.execute({
      sql: `SELECT id FROM folders WHERE path = ?`,
      args: [path],
    });
    if (rows.length === 0) return -1;
    const id = Number(rows[0]![0]);
    this.#folderIds.set(path, id);
    return id;
  }

  async #select(where: string, args: (string | number)[]): Promise<IndexedMemory[]> {
    const found = await this.#client.execute({
      sql: `SELECT ${MEMORY_COLUMNS} FROM memories m JOIN folders f ON f.id = m.folder ${where}`,
      args,
    });
    return found.rows.map(toMemory);
  }
}
