import type { MemoryFolder, Scope } from "../memory/memory.ts";
import type { Connection } from "./connection.ts";
import { HISTORY_SCOPE } from "./schema.ts";

/** The index's record of a file. */
export interface KnownFile {
  readonly id: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly hash: string;
  /** Of the file's bytes. */
  readonly digest: string;
}

/** A file that was looked into and whose content is the same. */
export interface Touched extends Omit<KnownFile, "hash"> {
  /** What it says beside the columns (`saidIn`). */
  readonly said: string;
}

/** A file that waits for the user's consent. */
export interface WaitingFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Of the file's bytes. */
  readonly digest: string;
}

/** What `toKnown` takes. */
const KNOWN = `id, path, size, mtime_ms, hash, digest`;

function toKnown(row: ArrayLike<unknown>): [path: string, file: KnownFile] {
  return [String(row[1]), {
    id: Number(row[0]),
    size: Number(row[2]),
    mtimeMs: Number(row[3]),
    hash: String(row[4]),
    digest: String(row[5]),
  }];
}

/** The folders and files that the index knows: what a sync compares with the disk. */
export class FileRecords {
  readonly #db: Connection;
  readonly #ids = new Map<string, number>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The id of a folder, which is entered when it is new. */
  async enter(folder: MemoryFolder): Promise<number> {
    const known = await this.#db.read(`SELECT id FROM folders WHERE path = ? AND scope = ?`, [
      folder.path,
      folder.scope,
    ]);
    if (known[0] !== undefined) return Number(known[0][0]);
    const found = await this.#db.read(
      `INSERT INTO folders (path, scope) VALUES (?, ?)
        ON CONFLICT (path) DO UPDATE SET scope = excluded.scope RETURNING id`,
      [folder.path, folder.scope],
    );
    return Number(found[0]![0]);
  }

  /** The ids of those folders that were ever entered. */
  async idsOf(folders: readonly MemoryFolder[]): Promise<number[]> {
    const ids: number[] = [];
    for (const { path } of folders) {
      const id = this.#ids.get(path) ?? await this.#readId(path);
      if (id !== undefined) ids.push(id);
    }
    return ids;
  }

  /** Every memory folder that was ever entered. */
  async folders(): Promise<MemoryFolder[]> {
    const found = await this.#db.read(
      `SELECT path, scope FROM folders WHERE scope <> '${HISTORY_SCOPE}' ORDER BY id`,
    );
    return found.map((row) => ({ path: String(row[0]), scope: String(row[1]) as Scope }));
  }

  /** Drops the record of a folder that nothing refers to any more. */
  async drop(folder: MemoryFolder): Promise<void> {
    await this.#db.write([{ sql: `DELETE FROM folders WHERE path = ?`, args: [folder.path] }]);
    this.#ids.delete(folder.path);
  }

  /** Since when each folder has been missing from the disk, by path. */
  async missing(): Promise<Map<string, number>> {
    const noted = await this.#db.meta("missing");
    return new Map(noted === undefined ? [] : JSON.parse(noted) as [string, number][]);
  }

  /** Notes that. */
  async noteMissing(missing: ReadonlyMap<string, number>): Promise<void> {
    const args = [JSON.stringify([...missing])];
    await this.#db.write([{ sql: `REPLACE INTO meta VALUES ('missing', ?)`, args }]);
  }

  /** The records of a folder's files, by path; read once a generation, so that no sync without changes reads them. */
  async known(folder: number): Promise<ReadonlyMap<string, KnownFile>> {
    await this.#db.follow();
    return await this.#db.once(`files ${folder}`, async () => {
      const rows = await this.#db.read(`SELECT ${KNOWN} FROM memories WHERE folder = ?`, [folder]);
      return new Map(rows.map(toKnown));
    });
  }

  /** The records of files of a folder with some paths. */
  async knownAt(
    folder: number,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, KnownFile>> {
    const rows = await this.#db.read(
      `SELECT ${KNOWN} FROM memories
        WHERE path IN (SELECT value FROM json_each(?)) AND folder = ?`,
      [JSON.stringify(paths), folder],
    );
    return new Map(rows.map(toKnown));
  }

  /** Notes a new time and size of files whose content is the same. */
  async touch(files: readonly Touched[]): Promise<void> {
    await this.#db.write(files.map(({ id, size, mtimeMs, digest, said }) => ({
      sql: `UPDATE memories SET size = ?, mtime_ms = ?, digest = ?, said = ? WHERE id = ?`,
      args: [size, mtimeMs, digest, said, id],
    })));
  }

  /** The files of a folder that wait for the user's consent, by path. */
  async waiting(folder: number): Promise<Map<string, WaitingFile>> {
    const found = await this.#db.read(
      `SELECT path, size, mtime_ms, digest FROM waiting WHERE folder = ?`,
      [folder],
    );
    return new Map(found.map((row) => [String(row[0]), {
      path: String(row[0]),
      size: Number(row[1]),
      mtimeMs: Number(row[2]),
      digest: String(row[3]),
    }]));
  }

  /** Notes which files of a folder wait for consent, and no others. */
  async setWaiting(folder: number, files: readonly WaitingFile[]): Promise<void> {
    await this.#db.transact([
      { sql: `DELETE FROM waiting WHERE folder = ?`, args: [folder] },
      ...files.map(({ path, size, mtimeMs, digest }) => ({
        sql: `REPLACE INTO waiting (path, folder, mtime_ms, size, digest) VALUES (?, ?, ?, ?, ?)`,
        args: [path, folder, mtimeMs, size, digest],
      })),
    ]);
  }

  /** How many files of these folders wait for consent. */
  async countWaiting(folders: readonly MemoryFolder[]): Promise<number> {
    return await this.#db.count(
      `SELECT count(*) FROM waiting w JOIN folders f ON f.id = w.folder
        WHERE f.path IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(folders.map(({ path }) => path))],
    );
  }

  /** A folder's id; once it has one it keeps it. */
  async #readId(path: string): Promise<number | undefined> {
    const found = await this.#db.read(`SELECT id FROM folders WHERE path = ?`, [path]);
    if (found.length === 0) return undefined;
    const id = Number(found[0]![0]);
    this.#ids.set(path, id);
    return id;
  }
}
