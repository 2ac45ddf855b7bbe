// Another tool's SQLite database, read and never changed.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { DB_SIDES } from "../../paths.ts";
import { irregular } from "../../core/files/bounded.ts";
import { statsOf } from "../../core/files/stats.ts";

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** Answers a query; without the table, with nothing. */
export type Query = (sql: string) => Promise<Row[]>;

/**
 * Reads a database through a copy with its log, so that neither a lock nor a checkpoint touches the original: opening a
 * database in WAL mode writes beside it. Throws a MemoError for a file that is none.
 */
export async function readDatabase<T>(
  path: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const stats = statsOf(path);
  if (!stats?.isFile()) {
    const why = stats === undefined ? "no such file" : irregular(stats);
    throw new MemoError("not-found", `Cannot import \`${path}\`: ${why}`, {
      hint: "Run `memo import` to see what can be imported",
    });
  }
  const { createClient } = await import("@libsql/client"); // it unpacks a library
  const folder = mkdtempSync(join(tmpdir(), "memo-import-"));
  const copy = join(folder, basename(path));
  try {
    for (const side of ["", ...DB_SIDES]) {
      if (existsSync(path + side)) copyFileSync(path + side, copy + side);
    }
    const client = createClient({ url: `file:${encodeURI(copy)}` });
    try {
      return await work(async (sql) => (await client.execute(sql)).rows);
    } finally {
      client.close();
    }
  } catch (error) {
    if (error instanceof MemoError) throw error;
    throw new MemoError("file", `Cannot import \`${path}\`: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
