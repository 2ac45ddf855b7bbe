// The files of other tools: text, JSON, and SQLite databases, which are read and never changed.

import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { irregular, readRegular } from "../../core/files/bounded.ts";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DB_SIDES } from "../../paths.ts";
import { statsOf } from "../../core/files/there.ts";

/** Maximum bytes of one file, and of an archive when it is unpacked: more is not a store of notes. */
export const MAX_BYTES = 256 * 1024 * 1024;

/** The text of a source's file; throws a MemoError that says what is wrong with it. */
export function readText(path: string, maxBytes = MAX_BYTES): string {
  const bytes = readBytes(path, maxBytes);
  const [first, second] = bytes;
  // PowerShell writes UTF-16, with a mark of the order of its bytes.
  const wide = first === 0xff && second === 0xfe
    ? "le"
    : first === 0xfe && second === 0xff
    ? "be"
    : "";
  const text = new TextDecoder(wide === "" ? "utf-8" : `utf-16${wide}`).decode(bytes);
  return text.replaceAll("\0", "");
}

/** The bytes of a source's file. */
export function readBytes(path: string, maxBytes = MAX_BYTES): Uint8Array {
  try {
    return readRegular(path, maxBytes);
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    const why = isMissing ? "no such file or folder" : messageOf(error);
    throw new MemoError(isMissing ? "not-found" : "file", `Cannot import \`${path}\`: ${why}`, {
      hint: "Run `memo import` to see what can be imported",
      cause: error,
    });
  }
}

/** The value of a JSON file. */
export function readJson(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MemoError("file", `Cannot import \`${path}\`: it is not JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

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
