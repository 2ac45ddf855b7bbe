import type { MemoryFolder, Scope } from "../memory/memory.ts";
import type { ListedFile } from "../memory/folder.ts";
import type { Connection } from "./connection.ts";
import { HISTORY_SCOPE } from "./database.ts";

/** A file that waits for the user's consent. */
export interface WaitingFile extends ListedFile {
  /** Of the file's bytes. */
  readonly digest: string;
}

/** The index's record of a file. */
export interface FileRecord extends Omit<WaitingFile, "path"> {
  readonly id: number;
  readonly hash: string;
}

/** A file that was looked into and whose content is the same. */
export interface Touched extends Omit<FileRecord, "hash"> {
  /** What it says beside the columns (`saidIn`). */
  readonly said: string;
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
    const args = [folder.path, folder.scope];
    const [known] = await this.#db.read<[number]>(
      `SELECT id FROM folders WHERE path = ? AND scope = ?`,
      args,
    );
    if (known !== undefined) return known[0];
    return await this.#db.count(
      `INSERT INTO folders (path, scope) VALUES (?, ?)
        ON CONFLICT (path) DO UPDATE SET scope = excluded.scope RETURNING id`,
      args,
    );
  }

  /** The ids of those folders that were ever entered. */
  async idsOf(folders: readonly MemoryFolder[]): Promise<number[]> {
    const ids: number[] = [];
    for (const { path } of folders) {
      const sql = `SELECT id FROM folders WHERE path = ?`;
      const id = this.#ids.get(path) ?? (await this.#db.read<[number]>(sql, [path]))[0]?.[0];
      if (id === undefined) continue;
      this.#ids.set(path, id); // once it has one it keeps it
      ids.push(id);
    }
    return ids;
  }

  /** Every memory folder that was ever entered. */
  async folders(): Promise<MemoryFolder[]> {
    const found = await this.#db.read<[string, Scope]>(
      `SELECT path, scope FROM folders WHERE scope <> '${HISTORY_SCOPE}' ORDER BY id`,
    );
    return found.map(([path, scope]) => ({ path, scope }));
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
  async known(folder: number): Promise<ReadonlyMap<string, FileRecord>> {
    await this.#db.follow();
    return await this.#db.once(`files ${folder}`, () => this.#known(`folder = ?`, [folder]));
  }

  /** The records of files of a folder with some paths. */
  async knownAt(
    folder: number,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, FileRecord>> {
    // With the bare `folder`, SQLite would go through all of it.
    return await this.#known(`path IN (SELECT value FROM json_each(?)) AND +folder = ?`, [
      JSON.stringify(paths),
      folder,
    ]);
  }

  async #known(where: string, args: readonly (string | number)[]) {
    const rows = await this.#db.read<[number, string, number, number, string, string]>(
      `SELECT id, path, size, mtime_ms, hash, digest FROM memories WHERE ${where}`,
      args,
    );
    return new Map(rows.map(([id, path, size, mtimeMs, hash, digest]): [string, FileRecord] => [
      path,
      { id, size, mtimeMs, hash, digest },
    ]));
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
    const found = await this.#db.read<[string, number, number, string]>(
      `SELECT path, size, mtime_ms, digest FROM waiting WHERE folder = ?`,
      [folder],
    );
    return new Map(
      found.map(([path, size, mtimeMs, digest]) => [path, { path, size, mtimeMs, digest }]),
    );
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
}
