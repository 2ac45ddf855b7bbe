import type { KnownMemories, Memory, MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { BUSY_TIMEOUT } from "./database.ts";
import { Reader } from "./reader.ts";
import { CHANGED_AT, SCHEMA_VERSION } from "./schema.ts";
import { anyOf } from "./word_hits.ts";

/** The parts of a memory that have no column, or another value there than in the file. */
type Said = Omit<Memory, "name" | "description" | "type" | "body">;

/** Those of a memory file, for the column `said`. */
export function saidIn(file: Memory): string {
  const { triggers, never, tags, pinned, confidence, created, updated, supersedes, source } = file;
  const said: Said = {
    ...{ triggers, never, tags, pinned, confidence, created, updated, supersedes, source },
  };
  return JSON.stringify(said);
}

/**
 * Opens what an index knows of memory files, in some folders of all as they are now; undefined for one of another memo,
 * or that cannot be read.
 */
export function openKnown(
  path: string,
  current: readonly string[] = [],
): KnownMemories | undefined {
  const reader = new Reader(path, { timeout: BUSY_TIMEOUT });
  try {
    const [[version]] = reader.rows(`PRAGMA user_version`, []) as [[number]];
    if (Number(version) === SCHEMA_VERSION) return new IndexedFiles(reader, current);
  } catch {
    // damaged, or no database: `memo doctor` says so
  }
  reader.close();
  return undefined;
}

class IndexedFiles implements KnownMemories {
  readonly #reader: Reader;

  readonly #current: readonly string[];

  constructor(reader: Reader, current: readonly string[]) {
    this.#reader = reader;
    this.#current = current;
  }

  isCurrent({ path }: MemoryFolder): boolean {
    return this.#current.includes(path);
  }

  others({ path }: MemoryFolder): readonly string[] {
    const rows = this.#reader.rows(
      `SELECT path FROM memories WHERE folder = ${FOLDER} AND ifnull(said, '') = ''`,
      [path],
    );
    return rows.map(([path]) => String(path));
  }

  files({ path }: MemoryFolder): Map<string, { mtimeMs: number; size: number }> {
    const files = new Map<string, { mtimeMs: number; size: number }>();
    const rows = this.#reader.rows(
      `SELECT path, mtime_ms, size FROM memories WHERE folder = ${FOLDER} AND said <> ''`,
      [path],
    );
    for (const [file, mtimeMs, size] of rows) {
      files.set(String(file), { mtimeMs: Number(mtimeMs), size: Number(size) });
    }
    return files;
  }

  *memories(
    { path, scope }: MemoryFolder,
    { isNewestFirst, words }: Parameters<KnownMemories["memories"]>[1],
  ): Generator<MemoryFile> {
    const rows = this.#reader.iterate(
      `SELECT path, name, description, type, body, said, problems, mtime_ms, size, digest
        FROM memories WHERE folder = ${FOLDER} AND said <> ''` +
        (words === undefined ? "" : ` AND id IN (SELECT rowid FROM words WHERE words MATCH ?)`) +
        (isNewestFirst ? ` ORDER BY ${CHANGED_AT} DESC, path` : ""),
      words === undefined ? [path] : [path, anyOf([...words])],
    );
    for (const [file, name, description, type, body, said, problems, mtime, size, digest] of rows) {
      const { triggers, never, created, updated, source, ...rest } = JSON.parse(
        String(said),
      ) as Said;
      yield {
        ...{ name: String(name), description: String(description), type: String(type) },
        ...{ body: String(body), triggers, ...never !== undefined && { never }, ...rest },
        ...{ created, updated, source, path: String(file), scope },
        ...{ size: Number(size), mtimeMs: Number(mtime), digest: String(digest) },
        problems: JSON.parse(String(problems)),
      };
    }
  }
}

const FOLDER = `(SELECT id FROM folders WHERE path = ?)`;
