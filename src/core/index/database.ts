import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { statsOf } from "../files/there.ts";
import { Connection } from "./connection.ts";
import { damaged, DB_SIDES, ofSchema } from "../../paths.ts";
import { NewerSchema, prepare, SCHEMA_VERSION } from "./schema.ts";

/** An open database. */
export interface Opened {
  readonly db: Connection;
  /** Whether it was one of an older memo: its memories have to be read again. */
  readonly isUpgraded: boolean;
}

/**
 * Opens the database at `path`, making it and its folder when they are missing. One that is of no use is moved aside
 * (`index.db.damaged`) and a fresh one begun, since all of it can be derived from the memory files again. One of a newer
 * memo is left to that memo: this one has its own beside it, so that two that are used in turns do not rebuild it each time.
 */
export async function openDatabase(path: string): Promise<Opened> {
  try {
    return await openOrBeginAnew(path);
  } catch (error) {
    if (!(error instanceof NewerSchema)) throw error;
    return await openOrBeginAnew(ofSchema(path, SCHEMA_VERSION));
  }
}

async function openOrBeginAnew(path: string): Promise<Opened> {
  try {
    if (isUnusable(path)) setAside(path);
    return await open(path);
  } catch (error) {
    if (error instanceof MemoError) throw error;
    if (!isDamage(error)) {
      throw new MemoError("index", `Cannot open the index at \`${path}\`: ${messageOf(error)}`, {
        hint: "Check that its folder is writable, or set `MEMO_HOME` to one that is",
        cause: error,
      });
    }
    setAside(path);
    return await open(path);
  }
}

/** Whether something lies there that is no file, or that this user may not read and write. */
function isUnusable(path: string): boolean {
  const stats = statsOf(path);
  if (stats === undefined) return false;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return !stats.isFile();
  } catch {
    return true;
  }
}

async function open(path: string): Promise<Opened> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = !existsSync(path);
  const db = await Connection.to(path);
  try {
    if (fresh) chmodSync(path, 0o600);
    db.rows(`PRAGMA journal_mode = WAL`);
    db.rows(`PRAGMA synchronous = NORMAL`);
    const isUpgraded = await prepare(db);
    db.rows(`PRAGMA foreign_keys = ON`); // only now: each table can be dropped for itself
    return { db, isUpgraded };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whether an error means that the file is damaged or not a database. */
export function isDamage(error: unknown): boolean {
  return /malformed|not a database|SQLITE_CORRUPT|SQLITE_NOTADB|disk image/i.test(
    `${(error as { code?: string } | null)?.code ?? ""} ${messageOf(error)}`,
  );
}

/** Moves a database out of the way, with its write-ahead log, which must never meet another database. */
export function setAside(path: string): void {
  if (existsSync(path)) {
    rmSync(damaged(path), { recursive: true, force: true }); // a file does not take a folder's place
    renameSync(path, damaged(path));
  }
  for (const side of DB_SIDES) rmSync(path + side, { force: true });
}
