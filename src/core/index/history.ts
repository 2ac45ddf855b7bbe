// History in the index: what happened and when, from journals and kept turns. It has tables of its own, so that it
// neither comes up as a memory nor changes how rare a word is among memories.

import type { InStatement } from "@libsql/client";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Connection } from "./connection.ts";
import type { Corpus, IndexedMemory } from "./corpus.ts";
import type { Embeddable, Embedded, Passage } from "./embedding_queue.ts";
import type { FileRecords } from "./file_records.ts";
import { type Days, historyCorpus } from "./history_corpus.ts";
import {
  asMemory,
  hashOf,
  HISTORY_COLUMNS,
  type IndexedEntry,
  insertion,
  type PastEntry,
  removal,
  toEntry,
} from "./history_rows.ts";
import { toBlob, toVector } from "./rows.ts";
import { Vocabulary } from "./vocabulary.ts";

export type { IndexedEntry, PastEntry, PastKind } from "./history_rows.ts";

/** A file of entries. */
export interface HistoryFile {
  readonly path: string;
  readonly mtimeMs: number;
  readonly size: number;
}

/** Embedding an entry is begun this often. */
const MAX_TRIES = 2;

/** The entries of all folders that have history. */
export class History implements Embeddable {
  readonly #db: Connection;
  readonly #files: FileRecords;

  constructor(db: Connection, files: FileRecords) {
    this.#db = db;
    this.#files = files;
  }

  /** The files of a folder as they were when they were read, by path. */
  async files(folder: MemoryFolder): Promise<Map<string, HistoryFile>> {
    const found = await this.#db.rows(
      `SELECT path, mtime_ms, size FROM history_files WHERE folder = ?`,
      [await this.#files.enter(folder)],
    );
    return new Map(found.map((row) => {
      const path = String(row[0]);
      return [path, { path, mtimeMs: Number(row[1]), size: Number(row[2]) }];
    }));
  }

  /** Replaces the entries of a file. One that was there before keeps its vectors. */
  async put(
    folder: MemoryFolder,
    { path, mtimeMs, size }: HistoryFile,
    entries: readonly PastEntry[],
  ): Promise<void> {
    const id = await this.#files.enter(folder);
    const before = await this.#db.rows(`SELECT id, hash FROM history WHERE path = ?`, [path]);
    const known = new Map(before.map((row) => [String(row[1]), Number(row[0])]));
    const now = new Map(entries.map((entry) => [hashOf(entry), entry]));
    const gone = [...known].filter(([hash]) => !now.has(hash)).map(([, id]) => id);
    await this.#write([
      ...removal(gone),
      ...[...now].filter(([hash]) => !known.has(hash)).flatMap(([hash, entry]) =>
        insertion(entry, { folder: id, path, hash })
      ),
      {
        sql: `REPLACE INTO history_files (path, folder, mtime_ms, size) VALUES (?, ?, ?, ?)`,
        args: [path, id, mtimeMs, size],
      },
    ]);
  }

  /** Drops files with their entries. */
  async drop(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const found = await this.#db.rows(`SELECT id FROM history WHERE path = ?`, [path]);
      await this.#write([...removal(found.map((row) => Number(row[0]))), {
        sql: `DELETE FROM history_files WHERE path = ?`,
        args: [path],
      }]);
    }
  }

  /** Drops all that belongs to a folder. */
  async forget(folder: MemoryFolder): Promise<void> {
    await this.drop([...(await this.files(folder)).keys()]);
  }

  /** The entries of these folders, within some days if they are given. */
  async corpus(folders: readonly MemoryFolder[], days?: Days): Promise<Corpus> {
    const ids = await this.#files.idsOf(folders);
    const vocabulary = new Vocabulary(this.#db, "history_vocabulary");
    return historyCorpus({ db: this.#db, vocabulary, folders: ids, days });
  }

  /** The entries with these ids, in their order. */
  async entries(ids: readonly number[]): Promise<IndexedEntry[]> {
    const found = await this.#select(`h.id IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(ids),
    ]);
    const byId = new Map(found.map((entry) => [entry.id, entry]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** The entries of some folders about the turns whose id begins so, oldest first. */
  async ofTurn(prefix: string, folders: readonly MemoryFolder[]): Promise<IndexedEntry[]> {
    return await this.#select(
      `h.turn >= ? AND h.turn < ? AND h.folder IN (SELECT value FROM json_each(?))`,
      [prefix, `${prefix}\u{10ffff}`, JSON.stringify(await this.#files.idsOf(folders))],
    );
  }

  /** The entries of a session, oldest first. */
  async ofSession(session: string, folders: readonly MemoryFolder[]): Promise<IndexedEntry[]> {
    return await this.#select(
      `h.session = ? AND h.folder IN (SELECT value FROM json_each(?))`,
      [session, JSON.stringify(await this.#files.idsOf(folders))],
    );
  }

  /** How many entries there are, and how many wait for their vectors. */
  async statistics(): Promise<{ readonly entries: number; readonly pending: number }> {
    return {
      entries: await this.#db.count(`SELECT count(*) FROM history`),
      pending: await this.#db.count(
        `SELECT count(*) FROM history WHERE embedded = 0 AND tries < ${MAX_TRIES}`,
      ),
    };
  }

  /** Entries that wait for their vectors, newest first: those are asked about most. */
  async pending(limit: number): Promise<IndexedMemory[]> {
    const found = await this.#select(
      `h.embedded = 0 AND h.tries < ${MAX_TRIES}`,
      [limit],
      `ORDER BY h.day DESC, h.id LIMIT ?`,
    );
    return found.map(asMemory);
  }

  async beginEmbedding({ id }: IndexedMemory): Promise<void> {
    await this.#db.rows(`UPDATE history SET tries = tries + 1 WHERE id = ?`, [id]);
  }

  async putOffEmbedding({ id }: IndexedMemory): Promise<void> {
    await this.#db.rows(`UPDATE history SET tries = 0 WHERE id = ?`, [id]);
  }

  async vectorsOf(entry: number): Promise<Map<string, Float32Array>> {
    const found = await this.#db.rows(
      `SELECT hash, vector FROM history_passages WHERE entry = ?`,
      [entry],
    );
    return new Map(found.map((row) => [String(row[0]), toVector(row[1])]));
  }

  async putPassages(
    seen: IndexedMemory,
    passages: readonly Passage[],
    { isPartial = false }: { readonly isPartial?: boolean } = {},
  ): Promise<void> {
    await this.#write(putStatements({ seen, passages }, isPartial));
  }

  async putAll(all: readonly Embedded[]): Promise<void> {
    await this.#write(all.flatMap((one) => putStatements(one, false)));
  }

  async #select(
    where: string,
    args: readonly (string | number)[],
    order = `ORDER BY h.day, h.time, h.id`,
  ): Promise<IndexedEntry[]> {
    const found = await this.#db.rows(
      `SELECT ${HISTORY_COLUMNS} FROM history h JOIN folders f ON f.id = h.folder WHERE ${where} ${order}`,
      args,
    );
    return found.map(toEntry);
  }

  /** History is no reason for other processes to read the vectors of memories again, so it makes no generation. */
  async #write(statements: readonly InStatement[]): Promise<void> {
    if (statements.length > 0) await this.#db.client.batch([...statements], "write");
  }
}

/** What takes the place of an entry's passages. */
function putStatements({ seen: { id }, passages }: Embedded, isPartial: boolean): InStatement[] {
  return [
    { sql: `DELETE FROM history_passages WHERE entry = ?`, args: [id] },
    ...passages.map(({ start, end, hash, vector }) => ({
      sql: `INSERT INTO history_passages (entry, start, "end", hash, vector)
          SELECT id, ?, ?, ?, ? FROM history WHERE id = ?`,
      args: [start, end, hash, toBlob(vector), id],
    })),
    {
      sql: `UPDATE history SET embedded = ?, tries = 0 WHERE id = ?`,
      args: [isPartial ? 0 : 1, id],
    },
  ];
}
