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
import type { WordsTable } from "./words.ts";

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

/** Length of the built-in model's vectors. */
export const BUILTIN_DIMENSIONS = 384;

/** Lowest for what gets its vectors before all else: rules, which are needed most, and history last. */
export const EMBEDDED_FIRST = `past, type NOT IN ('feedback', 'decision', 'pattern', 'gotcha')`;

/** The scope of a folder's history in the index, which is in no list of memory folders. */
export const HISTORY_SCOPE = "history";

/** The start and end of a passage that is no part of a memory but a prompt which the memory is not for. */
export const NOT_FOR = -1;

/** The table of passages for vectors of one length; it is made anew when the model changes. */
export function passagesTable(dimensions: number): readonly string[] {
  return [
    `DROP TABLE IF EXISTS passages`,
    `CREATE TABLE passages (
      id INTEGER PRIMARY KEY,
      memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
      start INTEGER NOT NULL, "end" INTEGER NOT NULL, hash TEXT NOT NULL,
      vector F32_BLOB(${dimensions}) NOT NULL
    )`,
    `CREATE INDEX passages_by_memory ON passages (memory)`,
    // prompts which a memory is not for (`NOT_FOR`)
    `CREATE INDEX passages_never ON passages (memory) WHERE start < 0`,
  ];
}

/** A table of words: FTS5 keeps no copy of the text, its columns have the terms that `analyze` cuts, by the memory's id. */
function wordsTable(name: WordsTable, vocabulary: string): readonly string[] {
  return [
    `CREATE VIRTUAL TABLE ${name} USING fts5 (
      name, description, triggers, tags, body, english,
      content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
    )`,
    `CREATE VIRTUAL TABLE ${vocabulary} USING fts5vocab (${name}, row)`,
  ];
}

/** The size of a file that has to be looked into at the next sync, whatever its own time and size say. */
export const UNREAD = -1;
/** Whether a memory is still as an older memo read it: the condition of an index, which only a query with the same text uses. */
export const IS_UNREAD = `size = ${UNREAD}`;

/** Whether a memory has a line in `MEMORY.md`, the same. */
export const IS_LISTED = `instr(tags, '"suspect"') = 0`;
/** Whether the index has a memory otherwise than its file says it, the same. */
export const IS_UNSAID = `said = ''`;
/** Whether a memory has not been judged, or not by a judge, the same. */
export const IS_TO_JUDGE = `related <> 1`;
/** Whether a memory says of others that it contradicts them (`contradicting`), the same. */
export const IS_CONTRADICTING = `instr(tags, '"contradicts:') > 0`;
/** When a memory was last changed (`changedAt`), the same. */
export const CHANGED_AT = `coalesce(dated_ms, mtime_ms)`;

/** The one table whose content cannot be read from memory files again. */
const FOLDERS =
  `CREATE TABLE IF NOT EXISTS folders (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, scope TEXT NOT NULL)`;

const TEXT = `TEXT NOT NULL`,
  EMPTY = `TEXT NOT NULL DEFAULT ''`,
  FALSE = `INTEGER NOT NULL DEFAULT 0`;

/** The schema that this memo reads and writes; another number with every change of `SCHEMA`. */
export const SCHEMA_VERSION = 13;

/** The columns of `memories`: those with a default can be added to the table of an older memo. */
const MEMORIES: Readonly<Record<string, string>> = {
  id: `INTEGER PRIMARY KEY AUTOINCREMENT`,
  folder: `INTEGER NOT NULL REFERENCES folders (id)`,
  path: `TEXT NOT NULL UNIQUE`,
  ...{ name: TEXT, description: TEXT, type: TEXT, body: TEXT, triggers: TEXT, tags: TEXT },
  ...{ confidence: `REAL NOT NULL`, created: `TEXT`, updated: `TEXT`, problems: TEXT },
  ...{ mtime_ms: `REAL NOT NULL`, size: `INTEGER NOT NULL`, hash: TEXT },
  ...{ embedded: FALSE, tries: `INTEGER NOT NULL DEFAULT 0` },
  ...{ session: EMPTY, turn: EMPTY, digest: EMPTY, pinned: FALSE },
  /** The tool that it was imported from. */
  imported: FALSE,
  /** Prompts that it is not for. */
  never: `TEXT NOT NULL DEFAULT '[]'`,
  /** The date in its file, in milliseconds, and with it the order of the lines of MEMORY.md. */
  dated_ms: `REAL`,
  /** What its file says beside the columns, or otherwise: commands take memories from here, and read no file. */
  said: EMPTY,
  /** By what a command finds it: its id there, and the words of its name and its path. */
  ...{ ident: EMPTY, label: EMPTY },
  /** An entry of history, with the path of its file as its label, and no memory. */
  past: FALSE,
  /** Whether it has been judged beside its neighbours. */
  related: FALSE,
};

const SCHEMA: readonly string[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE memories (${
    Object.entries(MEMORIES).map(([name, type]) => `${name} ${type}`).join(", ")
  })`,
  `CREATE INDEX memories_by_folder ON memories (folder, mtime_ms DESC)`,
  // the newest of a type, without a look at the others
  `CREATE INDEX memories_by_type ON memories (folder, type, mtime_ms DESC)`,
  // what was imported comes after what was said or typed
  `CREATE INDEX memories_said ON memories (folder, type, mtime_ms DESC) WHERE imported = 0`,
  // where a word hit belongs, without reading the memory itself: a third less of the time of a prompt's words
  `CREATE INDEX memories_kind ON memories (id, folder, type)`,
  // which memories get their vectors first: rules, then the newest
  `CREATE INDEX memories_to_embed ON memories (${EMBEDDED_FIRST}, mtime_ms DESC, id) WHERE embedded = 0`,
  `CREATE INDEX memories_never ON memories (id) WHERE never <> '[]'`,
  `CREATE INDEX memories_listed ON memories (folder, ${CHANGED_AT} DESC) WHERE ${IS_LISTED}`,
  `CREATE INDEX memories_changed ON memories (folder, ${CHANGED_AT} DESC, path)`,
  `CREATE INDEX memories_imported ON memories (folder, imported) WHERE imported <> 0`,
  `CREATE INDEX memories_by_ident ON memories (folder, ident)`,
  `CREATE INDEX memories_by_label ON memories (folder, label)`,
  `CREATE INDEX memories_unsaid ON memories (folder, path) WHERE ${IS_UNSAID}`,
  `CREATE INDEX memories_unread ON memories (folder) WHERE ${IS_UNREAD}`,
  // which memories have not been judged beside their neighbours
  `CREATE INDEX memories_to_judge ON memories (related, embedded) WHERE ${IS_TO_JUDGE}`,
  `CREATE INDEX memories_contradicting ON memories (folder) WHERE ${IS_CONTRADICTING}`,
  `CREATE INDEX memories_past ON memories (label) WHERE past = 1`,
  `CREATE INDEX memories_past_turn ON memories (turn) WHERE past = 1`,
  ...wordsTable("words", "vocabulary"),
  ...wordsTable("history_words", "history_vocabulary"),
  ...passagesTable(BUILTIN_DIMENSIONS),
  // what memories name of the code
  `CREATE TABLE mentions (
    memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    kind TEXT NOT NULL, text TEXT NOT NULL, title INTEGER NOT NULL,
    PRIMARY KEY (memory, kind, text)
  ) WITHOUT ROWID`,
  // the conversations that memories come from, those of what they replaced as well
  `CREATE TABLE talks (
    session TEXT NOT NULL, memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    own INTEGER NOT NULL, PRIMARY KEY (session, memory)
  ) WITHOUT ROWID`,
  `CREATE INDEX talks_by_memory ON talks (memory)`,
  // how memories stand to each other
  `CREATE TABLE relations (
    earlier INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    later INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    answer TEXT NOT NULL, probability REAL NOT NULL, by TEXT NOT NULL, PRIMARY KEY (earlier, later)
  ) WITHOUT ROWID`,
  `CREATE INDEX relations_by_later ON relations (later)`,
  // how memories stand to the code of a work tree
  `CREATE TABLE standings (
    memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE, top TEXT NOT NULL,
    hash TEXT NOT NULL, head TEXT NOT NULL, rests TEXT NOT NULL, standing TEXT NOT NULL,
    PRIMARY KEY (memory, top)
  ) WITHOUT ROWID`,
  `CREATE INDEX standings_told ON standings (top) WHERE standing <> ''`,
  // what memories are called
  `CREATE TABLE names (
    name TEXT NOT NULL, memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    PRIMARY KEY (name, memory)
  ) WITHOUT ROWID`,
  `CREATE INDEX names_by_memory ON names (memory)`,
  // files of a repository that wait for consent
  `CREATE TABLE waiting (
    path TEXT PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id),
    mtime_ms REAL NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL
  ) WITHOUT ROWID`,
  // files of history, as they were when their entries were read
  `CREATE TABLE history_files (
    path TEXT PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id),
    mtime_ms REAL NOT NULL, size INTEGER NOT NULL
  ) WITHOUT ROWID`,
];

/** The database is one of a newer memo. */
class NewerSchema extends MemoError {}

/**
 * Brings the database to `SCHEMA_VERSION` and `ANALYSIS`: one of another schema keeps its folders, and memories with their
 * words and vectors, if these can be read, as answers until the files are read again. Returns whether it was there already
 * and its memories have to be read again. Throws an `index` MemoError for one from a newer memo.
 */
export async function prepare(db: Connection): Promise<boolean> {
  const version = await versionOf(db);
  if (version > SCHEMA_VERSION) {
    throw new NewerSchema(
      "index",
      `Cannot open the index at \`${db.path}\`: schema is version ${version}, this memo reads up to ${SCHEMA_VERSION}`,
      { hint: "Upgrade memo, or run `memo index --rebuild` to rebuild it from your memory files" },
    );
  }
  if (version < SCHEMA_VERSION) {
    try {
      await db.transact([
        FOLDERS,
        // fails if another process was first: a hook, the daemon
        `INSERT INTO folders (path, scope) SELECT NULL, '' FROM pragma_user_version WHERE user_version <> ${version}`,
        ...await conversionOf(db),
        `PRAGMA user_version = ${SCHEMA_VERSION}`,
      ]);
    } catch (error) {
      if (await versionOf(db) === version) throw error;
    }
  }
  const isSame = await followAnalysis(db);
  return version > 0 && (version < SCHEMA_VERSION || !isSame);
}

function versionOf(db: Connection): Promise<number> {
  return db.count(`PRAGMA user_version`);
}

/** What makes tables of an older schema those of this one: kept, converted or made anew. */
async function conversionOf(db: Connection): Promise<string[]> {
  const tables = new Map(
    await db.read<[string, string]>(
      `SELECT t.name, coalesce(s.sql, '') FROM pragma_table_list t LEFT JOIN sqlite_schema s ON s.name = t.name
        WHERE t.schema = 'main' AND t.type <> 'shadow' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'folders'`,
    ),
  );
  const indexes = await db.read<[string]>(
    `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`,
  );
  const before = (await db.read<[string]>(`SELECT name FROM pragma_table_info('memories')`)).flat();
  const missing = Object.entries(MEMORIES).filter(([name]) => !before.includes(name));
  const isAlike = (name: string) => alike(tables.get(name)) === alike(creationOf(name));
  const isKept = isAlike("words") && isAlike("meta") && before.length > 0 &&
    missing.every(([, type]) => type.includes("DEFAULT") || !type.includes("NOT NULL"));
  const kept = isKept
    ? ["memories", "words", "meta", ...isAlike("passages") ? ["passages"] : []]
    : [];
  return [
    ...indexes.map(([name]) => `DROP INDEX ${name}`),
    ...[...tables.keys()].filter((name) => !kept.includes(name)).map((name) =>
      `DROP TABLE ${name}`
    ),
    ...!isKept ? [] : [
      ...before.includes("past") ? [`DELETE FROM memories WHERE past = 1`] : [],
      ...before.filter((name) => !(name in MEMORIES))
        .map((name) => `ALTER TABLE memories DROP COLUMN ${name}`),
      ...missing.map(([name, type]) => `ALTER TABLE memories ADD COLUMN ${name} ${type}`),
      `UPDATE memories SET ${IS_UNREAD}, hash = '', related = 0`,
      ...kept.includes("passages")
        ? [`DELETE FROM passages WHERE memory NOT IN (SELECT id FROM memories)`]
        : [`UPDATE memories SET embedded = 0, tries = 0`, `DELETE FROM meta WHERE key = 'model'`],
    ],
    ...SCHEMA.filter((statement) => !kept.includes(TABLE.exec(statement)?.[1] ?? "")),
  ];
}

const TABLE = /^(?:CREATE(?: VIRTUAL)?|DROP) TABLE (?:IF EXISTS )?(\w+)/;

function creationOf(table: string): string | undefined {
  return SCHEMA.find((statement) =>
    statement.startsWith("CREATE") && TABLE.exec(statement)?.[1] === table
  );
}

/** A table's definition as far as it matters: vectors of any length are read. */
function alike(sql: string | undefined): string | undefined {
  return sql?.replace(/\s+/g, " ").replace(/F32_BLOB\(\d+\)/, "F32_BLOB");
}

/** Has all files read again if their terms were cut another way; returns whether they were not. */
async function followAnalysis(db: Connection): Promise<boolean> {
  if (await db.meta("analysis") === ANALYSIS) return true;
  await db.transact([
    `UPDATE memories SET ${IS_UNREAD}, hash = ''`,
    `UPDATE history_files SET mtime_ms = ${UNREAD}`,
    { sql: `REPLACE INTO meta VALUES ('analysis', ?)`, args: [ANALYSIS] },
  ]);
  return false;
}

/**
 * Names how texts become index terms: `analyze`, the stemmer, the glossary and the reading of memory files. An index
 * with another name is read again from the files. `test/index/analysis_test.ts` computes it and says when it is stale.
 */
export const ANALYSIS = "e068cc75fe46";
