import type { Client, InStatement, Row } from "@libsql/client";
import type { MemoryFile, MemoryFolder, Problem, Scope } from "../memory/memory.ts";
import { inEnglish } from "../language/english.ts";
import { isOneTypoApart } from "../language/typo.ts";
import { analyze } from "./analyze.ts";
import type {
  Corpus,
  IndexedMemory,
  KnownTerm,
  NearestOptions,
  PassageHit,
  TypeFilter,
} from "./corpus.ts";
import { openDatabase, type Opened } from "./database.ts";
import { BUILTIN_DIMENSIONS, passagesTable, UNREAD } from "./schema.ts";
import { VectorBlock } from "./vectors.ts";

/** What the index knows of a file without reading it. */
export interface KnownFile {
  readonly id: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly hash: string;
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
 * BM25 weights of the fields name, description, triggers, tags, body and what of them is said in English: what a
 * memory is about says more than what it mentions.
 */
const FIELD_WEIGHTS = "4.0, 3.0, 3.0, 2.0, 1.0, 1.0";

/** Rows of vectors that are read at a time. */
const LOADED_AT_ONCE = 1000;
/** Terms whose frequency is kept. */
const MAX_FREQUENCIES = 20_000;

const COLUMNS = `m.id, m.path, f.scope, m.name, m.description, m.type, m.body, m.triggers, m.tags,
  m.confidence, m.created, m.updated, m.mtime_ms, m.size`;

/** The derived database: memories, their words, their passages with vectors. */
export class Index {
  readonly path: string;
  /** The schema of an older memo that the index had until it was opened: its memories have to be read again. */
  readonly upgradedFrom: number | undefined;
  readonly #client: Client;
  readonly #folderIds = new Map<string, number>();
  #vectors = new Map<number, VectorBlock>();
  readonly #loading = new Map<number, Promise<VectorBlock>>();
  /** Counts that prompts ask for again and again, by their SQL. */
  #counts = new Map<string, number>();
  /** How many memories contain a term. */
  #frequencies = new Map<string, number>();
  /** What a term may have been meant to be. */
  #mistyped = new Map<string, readonly KnownTerm[]>();
  /** Counts the writes of all processes; where it differs from ours, another one has written. */
  #generation = -1;

  private constructor(path: string, { client, upgradedFrom }: Opened) {
    this.path = path;
    this.upgradedFrom = upgradedFrom;
    this.#client = client;
  }

  /** Opens or creates the index; a damaged one is begun anew. Throws an `index` MemoError. */
  static async open(path: string): Promise<Index> {
    return new Index(path, await openDatabase(path));
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
      `UPDATE memories SET embedded = 0`,
      {
        sql: `REPLACE INTO meta VALUES ('model', ?), ('dimensions', ?)`,
        args: [id, String(dimensions)],
      },
    ]);
    this.#vectors.clear();
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

  /** What is known of a folder's files, by path. */
  async known(folder: number): Promise<Map<string, KnownFile>> {
    const found = await this.#client.execute({
      sql: `SELECT path, id, size, mtime_ms, hash FROM memories WHERE folder = ?`,
      args: [folder],
    });
    return new Map(found.rows.map((row) => [String(row[0]), {
      id: Number(row[1]),
      size: Number(row[2]),
      mtimeMs: Number(row[3]),
      hash: String(row[4]),
    }]));
  }

  /** Enters memories or replaces them; their vectors follow (`putPassages`). `hash` is of the file's bytes. */
  async put(folder: number, files: readonly { file: MemoryFile; hash: string }[]): Promise<void> {
    await this.#write(files.flatMap(({ file, hash }) => putStatements(folder, file, hash)));
  }

  /** Notes a new time and size of files whose content is the same. */
  async touch(files: readonly { id: number; size: number; mtimeMs: number }[]): Promise<void> {
    await this.#write(files.map(({ id, size, mtimeMs }) => ({
      sql: `UPDATE memories SET size = ?, mtime_ms = ? WHERE id = ?`,
      args: [size, mtimeMs, id],
    })));
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#write(ids.flatMap((id) => [
      { sql: `DELETE FROM words WHERE rowid = ?`, args: [id] },
      { sql: `DELETE FROM passages WHERE memory = ?`, args: [id] },
      { sql: `DELETE FROM memories WHERE id = ?`, args: [id] },
    ]));
    for (const block of this.#vectors.values()) for (const id of ids) block.remove(id);
  }

  /** Memories that wait for their vectors, oldest first. */
  async pending(limit: number): Promise<IndexedMemory[]> {
    return await this.#select(`WHERE m.embedded = 0 ORDER BY m.id LIMIT ?`, [limit]);
  }

  /** The vectors that a memory's passages have, by hash. */
  async vectorsOf(memory: number): Promise<Map<string, Float32Array>> {
    const found = await this.#client.execute({
      sql: `SELECT hash, vector FROM passages WHERE memory = ?`,
      args: [memory],
    });
    return new Map(found.rows.map((row) => [String(row[0]), toVector(row[1])]));
  }

  /** Replaces a memory's passages, unless the memory has changed or gone since `seen` was read. */
  async putPassages(seen: IndexedMemory, passages: readonly Passage[]): Promise<void> {
    const same = `SELECT id FROM memories WHERE id = ? AND mtime_ms = ? AND size = ?`;
    const args = [seen.id, seen.mtimeMs, seen.size];
    const results = await this.#write([
      { sql: `DELETE FROM passages WHERE memory IN (${same})`, args },
      ...passages.map(({ start, end, hash, vector }) => ({
        sql:
          `INSERT INTO passages (memory, start, "end", hash, vector) SELECT id, ?, ?, ?, ? FROM (${same})`,
        args: [start, end, hash, toBlob(vector), ...args],
      })),
      { sql: `UPDATE memories SET embedded = 1 WHERE id IN (${same}) RETURNING folder`, args },
    ]);
    const folder = results.at(-2)?.rows[0]?.[0];
    const block = folder === undefined ? undefined : this.#vectors.get(Number(folder));
    if (block === undefined) return;
    block.remove(seen.id);
    for (const passage of passages) block.add({ memory: seen.id, type: seen.type, ...passage });
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
      if (id >= 0) await this.#block(id);
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
      pending: await this.#count(`SELECT count(*) FROM memories WHERE embedded = 0`),
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
      size: async () => await this.#counted(`SELECT count(*) FROM memories m WHERE ${among}`, args),
      statistics: async (terms) => {
        const documents = await this.#counted(`SELECT count(*) FROM memories`, []);
        const containing = await this.#containing(terms);
        return { documents, containing: terms.map((term) => containing.get(term) ?? 0) };
      },
      likely: async (term) => await this.#likely(term),
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
      const block = await this.#block(folder);
      hits.push(...block.search(vector, { limit, also, takes }));
    }
    hits.sort((a, b) => b.cosine - a.cosine || a.memory - b.memory);
    return hits.filter((hit, rank) => rank < limit || also?.has(hit.memory));
  }

  /** A folder's vectors, read once for all who ask at the same time. */
  #block(folder: number): Promise<VectorBlock> {
    const known = this.#vectors.get(folder);
    if (known !== undefined) return Promise.resolve(known);
    const loading = this.#loading.get(folder) ??
      this.#load(folder).finally(() => this.#loading.delete(folder));
    this.#loading.set(folder, loading);
    return loading;
  }

  /** Takes a folder's vectors into memory, some at a time: each row takes several times its size on the way. */
  async #load(folder: number): Promise<VectorBlock> {
    const generation = this.#generation;
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
    // What was written meanwhile may be missing in it.
    if (this.#generation === generation) this.#vectors.set(folder, block);
    return block;
  }

  /** Forgets what is kept in memory when another process has written to the index. */
  async #followOthers(): Promise<void> {
    const generation = Number(await this.#meta("generation") ?? 0);
    if (generation !== this.#generation) {
      this.#vectors.clear();
      this.#forgetCounts();
    }
    this.#generation = generation;
  }

  /** One transaction; it counts as a generation, and keeps ours in step when nobody else wrote meanwhile. */
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
    this.#frequencies = new Map();
    this.#mistyped = new Map();
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

  /** How many memories contain each of the terms, counted once a generation. */
  async #containing(terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (this.#frequencies.size > MAX_FREQUENCIES) this.#forgetCounts();
    const frequencies = this.#frequencies; // a write may put another in its place while the database is asked
    const unknown = terms.filter((term) => !frequencies.has(term));
    if (unknown.length > 0) {
      const { rows } = await this.#client.execute({
        sql:
          `SELECT v.term, v.doc FROM json_each(?) wanted CROSS JOIN vocabulary v WHERE v.term = wanted.value`,
        args: [JSON.stringify(unknown)],
      });
      const counted = new Map(rows.map((row) => [String(row[0]), Number(row[1])]));
      for (const term of unknown) frequencies.set(term, counted.get(term) ?? 0);
    }
    return frequencies;
  }

  /** Terms one typing mistake away, looked for once a generation: each strategy asks about the same prompt. */
  async #likely(term: string): Promise<readonly KnownTerm[]> {
    const known = this.#mistyped.get(term);
    if (known !== undefined) return known;
    const mistyped = this.#mistyped;
    const start = term.slice(0, 2);
    // Few mistakes are in the first two letters, and the whole vocabulary would take too long.
    const { rows } = await this.#client.execute({
      sql: `SELECT term, doc FROM vocabulary
        WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? ORDER BY doc DESC, term`,
      args: [start, `${start}\u{10ffff}`, term.length - 1, term.length + 1],
    });
    const likely = rows.map((row) => ({ term: String(row[0]), containing: Number(row[1]) }))
      .filter((other) => isOneTypoApart(other.term, term));
    mistyped.set(term, likely);
    return likely;
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
      sql: `SELECT ${COLUMNS} FROM memories m JOIN folders f ON f.id = m.folder ${where}`,
      args,
    });
    return found.rows.map(toMemory);
  }
}

function putStatements(folder: number, file: MemoryFile, hash: string): InStatement[] {
  const values = [
    folder,
    file.path,
    file.name,
    file.description,
    file.type,
    file.body,
    JSON.stringify(file.triggers),
    JSON.stringify(file.tags),
    file.confidence,
    file.created ?? null,
    file.updated ?? null,
    JSON.stringify(file.problems),
    file.mtimeMs,
    file.size,
    hash,
  ];
  const fields = [
    file.name,
    file.description,
    file.triggers.join("\n"),
    file.tags.join("\n"),
    file.body,
  ];
  const english = inEnglish(fields.join("\n"))?.words.join(" ") ?? "";
  const terms = [...fields, english].map((text) => analyze(text).join(" "));
  return [
    {
      sql:
        `INSERT INTO memories (folder, path, name, description, type, body, triggers, tags, confidence,
          created, updated, problems, mtime_ms, size, hash) VALUES (${
          values.map(() => "?").join(", ")
        })
        ON CONFLICT (path) DO UPDATE SET folder = excluded.folder, name = excluded.name,
          description = excluded.description, type = excluded.type, body = excluded.body,
          triggers = excluded.triggers, tags = excluded.tags, confidence = excluded.confidence,
          created = excluded.created, updated = excluded.updated, problems = excluded.problems,
          mtime_ms = excluded.mtime_ms, size = excluded.size, hash = excluded.hash, embedded = 0`,
      args: values,
    },
    {
      sql: `DELETE FROM words WHERE rowid = (SELECT id FROM memories WHERE path = ?)`,
      args: [file.path],
    },
    {
      sql: `INSERT INTO words (rowid, name, description, triggers, tags, body, english)
        SELECT id, ?, ?, ?, ?, ?, ? FROM memories WHERE path = ?`,
      args: [...terms, file.path],
    },
  ];
}

function toMemory(row: Row): IndexedMemory {
  return {
    id: Number(row[0]),
    path: String(row[1]),
    scope: String(row[2]) as Scope,
    name: String(row[3]),
    description: String(row[4]),
    type: String(row[5]),
    body: String(row[6]),
    triggers: JSON.parse(String(row[7])),
    tags: JSON.parse(String(row[8])),
    confidence: Number(row[9]),
    created: row[10] === null ? undefined : String(row[10]),
    updated: row[11] === null ? undefined : String(row[11]),
    mtimeMs: Number(row[12]),
    size: Number(row[13]),
  };
}

/** libSQL keeps a vector as its 32-bit floats, little-endian. */
function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function toVector(blob: unknown): Float32Array {
  return new Float32Array(blob as ArrayBuffer);
}
