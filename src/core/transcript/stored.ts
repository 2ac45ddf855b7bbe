// Conversations that a client keeps in a SQLite database. The transcript of one is `…/NAME.db/SESSION`. It has no bytes to
// count: a position in it is a time, in milliseconds since 1970, and its size the time of the database's last change.

import { statSync } from "node:fs";
import { join } from "node:path";
import { statsOf } from "../files/stats.ts";
import type { Fields } from "./fields.ts";

const STORED = /^(.*\.db)[\\/](ses_\w+)$/;

/** How long a client that writes is waited for. */
const BUSY_MS = 2000;
const DAY_MS = 86_400_000;

/** The size of a transcript and the time of its last change, in milliseconds since 1970; undefined if there is none. */
export function transcriptStats(
  transcript: string,
): { readonly size: number; readonly mtimeMs: number } | undefined {
  const database = databaseOf(transcript);
  if (database === undefined) return statsOf(transcript);
  // Opening a database makes its log anew, empty.
  const files = ["", "-wal"].flatMap((side) => statsOf(database + side) ?? [])
    .filter(({ size }) => size > 0);
  const mtimeMs = Math.max(...files.map((file) => file.mtimeMs));
  return files.length === 0 ? undefined : { size: Math.ceil(mtimeMs), mtimeMs };
}

/** Where the last part of a transcript begins: so many bytes, or the last day in a database. */
export function lastPart(transcript: string, bytes: number): number {
  const length = databaseOf(transcript) === undefined ? bytes : DAY_MS;
  return Math.max(0, (transcriptStats(transcript)?.size ?? 0) - length);
}

/** The database that a transcript is in; undefined if it is a file. */
export function databaseOf(transcript: string): string | undefined {
  return STORED.exec(transcript)?.[1];
}

/** The transcripts in a database, those of subagents left out; none where it cannot be read. */
export async function transcriptsIn(database: string): Promise<string[]> {
  try {
    using rows = await open(database);
    return rows.all("select id from session where parent_id is null order by time_updated")
      .map(({ id }) => join(database, String(id))).filter((path) => STORED.test(path));
  } catch {
    return [];
  }
}

/**
 * The session's row of a transcript, and then its messages after a position, each with its parts. Throws the system's error
 * if there is no database.
 */
export async function* storedLines(
  transcript: string,
  from: number,
): AsyncGenerator<{ readonly line: Fields | undefined; readonly end: number }> {
  const [, database = "", session = ""] = STORED.exec(transcript) ?? [];
  statSync(database);
  using rows = await open(database);
  for (const line of rows.all("select * from session where id = ?", session)) {
    yield { line, end: 0 };
  }
  const messages = rows.all(
    "select id, time_created, data from message where session_id = ? and time_created > ? order by id",
    session,
    from,
  );
  for (const { id, time_created: created, data } of messages) {
    const parts = rows.all("select data from part where message_id = ? order by id", String(id));
    const line = { ...read(data), parts: parts.map((part) => read(part["data"])) };
    yield { line, end: Number(created) };
  }
}

function read(data: unknown): Fields {
  try {
    return JSON.parse(String(data));
  } catch {
    return {};
  }
}

/** Opens a database that is another program's, and writes nothing. */
async function open(database: string) {
  const { default: Database } = await import("libsql"); // it unpacks a library
  const name = encodeURI(database).replace(/[?#]/g, encodeURIComponent);
  const db = new Database(`file:${name}?mode=ro`, { timeout: BUSY_MS });
  return {
    all: (sql: string, ...args: (string | number)[]) => db.prepare(sql).all(args) as Fields[],
    [Symbol.dispose]: () => void db.close(),
  };
}
