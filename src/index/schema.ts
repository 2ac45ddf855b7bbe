import type { Client, InStatement } from "@libsql/client";
import { MemoError } from "../errors.ts";
import { ownDate } from "../memory/age.ts";
import { idOf } from "../memory/id.ts";
import type { Scope } from "../memory/memory.ts";
import { labelOf, namesOf } from "../memory/names.ts";
import { ANALYSIS } from "./analysis.ts";

/** Length of the built-in model's vectors. */
export const BUILTIN_DIMENSIONS = 384;

/** 0 for what gets its vectors before all else: rules, which are needed most. */
export const EMBEDDED_FIRST = `type NOT IN ('feedback', 'decision', 'pattern', 'gotcha')`;

/** The passages that are prompts which a memory is not for (`NOT_FOR`). */
const PASSAGES_NEVER =
  `CREATE INDEX IF NOT EXISTS passages_never ON passages (memory) WHERE start < 0`;

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
    PASSAGES_NEVER,
  ];
}

/** The same for entries of history. */
export function historyPassagesTable(dimensions: number): readonly string[] {
  return [
    `DROP TABLE IF EXISTS history_passages`,
    `CREATE TABLE history_passages (
      id INTEGER PRIMARY KEY, entry INTEGER NOT NULL,
      start INTEGER NOT NULL, "end" INTEGER NOT NULL, hash TEXT NOT NULL,
      vector F32_BLOB(${dimensions}) NOT NULL
    )`,
    `CREATE INDEX history_passages_by_entry ON history_passages (entry)`,
  ];
}

/** The time of a file that has to be looked into at the next sync, whatever its own time and size say. */
export const UNREAD = -1;
const READ_AGAIN = [`UPDATE memories SET mtime_ms = ${UNREAD}, hash = ''`];

/** Statements, some of which depend on what the index holds. */
type Migration = readonly string[] | ((client: Client) => Promise<readonly InStatement[]>);

/** Whether a memory has a line in `MEMORY.md`: the condition of an index, which only a query with the same text uses. */
export const IS_LISTED = `instr(tags, '"suspect"') = 0`;
/** Whether the index has a memory otherwise than its file says it, the same. */
export const IS_UNSAID = `ifnull(said, '') = ''`;
/** When a memory was last changed (`changedAt`), the same. */
export const CHANGED_AT = `coalesce(dated_ms, mtime_ms)`;

/**
 * The schema, one entry a version; append only, never edit. FTS5 keeps no copy of the text (`content=''`):
 * its columns are filled with the terms that `analyze` cuts, under the memory's id.
 */
const MIGRATIONS: readonly Migration[] = [
  [
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE folders (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, scope TEXT NOT NULL)`,
    `CREATE TABLE memories (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      folder INTEGER NOT NULL REFERENCES folders (id),
      path TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL, description TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
      triggers TEXT NOT NULL, tags TEXT NOT NULL, confidence REAL NOT NULL, created TEXT, updated TEXT,
      problems TEXT NOT NULL,
      mtime_ms REAL NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL,
      embedded INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0,
      session TEXT NOT NULL DEFAULT '', turn TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL DEFAULT '',
      pinned INTEGER NOT NULL DEFAULT 0, imported INTEGER NOT NULL DEFAULT 0
    )`,
    `CREATE INDEX memories_by_folder ON memories (folder, mtime_ms DESC)`,
    // the newest of a type, without a look at the others
    `CREATE INDEX memories_by_type ON memories (folder, type, mtime_ms DESC)`,
    // what was imported comes after what was said or typed
    `CREATE INDEX memories_said ON memories (folder, type, mtime_ms DESC) WHERE imported = 0`,
    // where a word hit belongs, without reading the memory itself: a third less of the time of a prompt's words
    `CREATE INDEX memories_kind ON memories (id, folder, type)`,
    `CREATE INDEX memories_to_embed ON memories (id) WHERE embedded = 0`,
    `CREATE VIRTUAL TABLE words USING fts5 (
      name, description, triggers, tags, body, english,
      content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
    )`,
    `CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row)`,
    ...passagesTable(BUILTIN_DIMENSIONS),
    // files of a repository that wait for consent
    `CREATE TABLE waiting (
      path TEXT PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id),
      mtime_ms REAL NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL
    ) WITHOUT ROWID`,
    // what happened, in tables apart from those of memories
    `CREATE TABLE history (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      folder INTEGER NOT NULL REFERENCES folders (id), path TEXT NOT NULL, hash TEXT NOT NULL,
      kind TEXT NOT NULL, day TEXT NOT NULL, time TEXT NOT NULL,
      title TEXT NOT NULL, text TEXT NOT NULL,
      session TEXT NOT NULL, turn TEXT NOT NULL, transcript TEXT NOT NULL,
      embedded INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0
    )`,
    // unique, because two processes may read the same file at the same time
    `CREATE UNIQUE INDEX history_by_path ON history (path, hash)`,
    `CREATE INDEX history_by_day ON history (folder, day)`,
    `CREATE INDEX history_by_turn ON history (turn)`,
    `CREATE INDEX history_to_embed ON history (day) WHERE embedded = 0`,
    `CREATE TABLE history_files (
      path TEXT PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id),
      mtime_ms REAL NOT NULL, size INTEGER NOT NULL
    ) WITHOUT ROWID`,
    `CREATE VIRTUAL TABLE history_words USING fts5 (
      title, text, english,
      content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
    )`,
    `CREATE VIRTUAL TABLE history_vocabulary USING fts5vocab (history_words, row)`,
    `CREATE TABLE history_passages (
      id INTEGER PRIMARY KEY, entry INTEGER NOT NULL,
      start INTEGER NOT NULL, "end" INTEGER NOT NULL, hash TEXT NOT NULL, vector BLOB NOT NULL
    )`,
    `CREATE INDEX history_passages_by_entry ON history_passages (entry)`,
  ],
  [
    // what memories name of the code
    `CREATE TABLE mentions (
      memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
      kind TEXT NOT NULL, text TEXT NOT NULL, title INTEGER NOT NULL,
      PRIMARY KEY (memory, kind, text)
    ) WITHOUT ROWID`,
    ...READ_AGAIN,
  ],
  [
    // prompts that memories are not for; an older memo has read none
    `ALTER TABLE memories ADD COLUMN never TEXT NOT NULL DEFAULT '[]'`,
    `CREATE INDEX memories_never ON memories (id) WHERE never <> '[]'`,
    PASSAGES_NEVER,
  ],
  async (client) => [
    // the vectors of history too are the database's own
    `CREATE TABLE history_vectors AS SELECT * FROM history_passages`,
    ...historyPassagesTable(await dimensionsOf(client)),
    `INSERT INTO history_passages SELECT * FROM history_vectors`,
    `DROP TABLE history_vectors`,
    // which memories get their vectors first: rules, then the newest
    `DROP INDEX memories_to_embed`,
    `CREATE INDEX memories_to_embed ON memories (${EMBEDDED_FIRST}, mtime_ms DESC, id) WHERE embedded = 0`,
  ],
  async (client) => [
    // the date in a memory's file, in milliseconds, and with it the order of the lines of `MEMORY.md`
    `ALTER TABLE memories ADD COLUMN dated_ms REAL`,
    {
      sql: `UPDATE memories SET dated_ms = own.value ->> 1 FROM json_each(?) own
        WHERE memories.id = own.value ->> 0`,
      args: [JSON.stringify(await ownDates(client))],
    },
    `CREATE INDEX memories_listed ON memories (folder, ${CHANGED_AT} DESC) WHERE ${IS_LISTED}`,
  ],
  [
    // the conversations that memories come from, those of what they replaced as well
    `CREATE TABLE talks (
      session TEXT NOT NULL, memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
      own INTEGER NOT NULL, PRIMARY KEY (session, memory)
    ) WITHOUT ROWID`,
    `CREATE INDEX talks_by_memory ON talks (memory)`,
    `INSERT INTO talks SELECT session, id, 1 FROM memories WHERE session <> ''`,
  ],
  [
    // how memories stand to the code of a work tree
    `CREATE TABLE standings (
      memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE, top TEXT NOT NULL,
      hash TEXT NOT NULL, head TEXT NOT NULL, rests TEXT NOT NULL, standing TEXT NOT NULL,
      PRIMARY KEY (memory, top)
    ) WITHOUT ROWID`,
    `CREATE INDEX standings_told ON standings (top) WHERE standing <> ''`,
  ],
  [
    // what a file says beside the columns, or otherwise: commands take memories from here, and read no file
    // (NULL: an older memo has read it)
    `ALTER TABLE memories ADD COLUMN said TEXT`,
    `CREATE INDEX memories_changed ON memories (folder, ${CHANGED_AT} DESC, path)`,
  ],
  async (client) => [
    // what memories are called
    `CREATE TABLE names (
      name TEXT NOT NULL, memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
      PRIMARY KEY (name, memory)
    ) WITHOUT ROWID`,
    `CREATE INDEX names_by_memory ON names (memory)`,
    {
      sql: `INSERT INTO names SELECT e.value ->> 0, e.value ->> 1 FROM json_each(?) e`,
      args: [JSON.stringify(await names(client))],
    },
  ],
  [
    // the tool that a memory was imported from, in the place of 1
    `UPDATE memories SET imported = said ->> '$.source.import' WHERE imported = 1 AND said <> ''`,
    `CREATE INDEX memories_imported ON memories (folder, imported) WHERE imported <> 0`,
  ],
  async (client) => [
    // by what a command finds a memory: its id there, and the words of its name and its path
    `ALTER TABLE memories ADD COLUMN ident TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE memories ADD COLUMN label TEXT NOT NULL DEFAULT ''`,
    {
      sql: `UPDATE memories SET ident = own.value ->> 1, label = own.value ->> 2
        FROM json_each(?) own WHERE memories.id = own.value ->> 0`,
      args: [JSON.stringify(await handles(client))],
    },
    `CREATE INDEX memories_by_ident ON memories (folder, ident)`,
    `CREATE INDEX memories_by_label ON memories (folder, label)`,
    `CREATE INDEX memories_unsaid ON memories (folder, path) WHERE ${IS_UNSAID}`,
  ],
];

/** The dates in the files of memories that have one, by the memories' ids. */
async function ownDates(client: Client): Promise<(readonly [id: number, ms: number])[]> {
  const { rows } = await client.execute(
    `SELECT id, created, updated FROM memories WHERE created IS NOT NULL OR updated IS NOT NULL`,
  );
  return rows.flatMap(({ id, created, updated }) => {
    const [c, u] = [created, updated].map((date) => date === null ? undefined : String(date));
    const ms = ownDate({ created: c, updated: u });
    return ms === undefined ? [] : [[Number(id), ms] as const];
  });
}

/** The names of memories, with the memories' ids. */
async function names(client: Client): Promise<(readonly [name: string, id: number])[]> {
  const { rows } = await client.execute(`SELECT id, name, triggers, tags FROM memories`);
  return rows.flatMap(({ id, name, triggers, tags }) => {
    const [short, labels] = [triggers, tags].map((list) => JSON.parse(String(list)));
    return namesOf({ name: String(name), triggers: short, tags: labels })
      .map((each) => [each, Number(id)] as const);
  });
}

/** What commands find memories by. */
async function handles(
  client: Client,
): Promise<(readonly [id: number, ident: string, label: string])[]> {
  const { rows } = await client.execute(
    `SELECT m.id, m.path, m.name, f.path, f.scope FROM memories m JOIN folders f ON f.id = m.folder`,
  );
  return rows.map((row) => {
    const [path = "", name = "", root = "", scope = ""] = [1, 2, 3, 4].map((i) => String(row[i]));
    const folder = { path: root, scope: scope as Scope };
    const memory = { path, name, scope: folder.scope };
    return [Number(row[0]), idOf(memory, folder), labelOf(memory, folder)] as const;
  });
}

/** The schema version this memo reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The database is one of a newer memo. */
export class NewerSchema extends MemoError {}

/**
 * Brings the database to `SCHEMA_VERSION` and `ANALYSIS`. Returns the version that it had if its memories have to be
 * read again or it was older. Throws an `index` MemoError for one from a newer memo.
 */
export async function migrate(client: Client, path: string): Promise<number | undefined> {
  const version = await versionOf(client);
  if (version > SCHEMA_VERSION) {
    throw new NewerSchema(
      "index",
      `Cannot open the index at \`${path}\`: schema is version ${version}, this memo reads up to ${SCHEMA_VERSION}`,
      { hint: "Upgrade memo, or run `memo index --rebuild` to start again from your memory files" },
    );
  }
  for (let next = version; next < SCHEMA_VERSION; next = await versionOf(client)) {
    try {
      const migration = MIGRATIONS[next]!;
      const statements = typeof migration === "function" ? await migration(client) : migration;
      await client.batch([...statements, `PRAGMA user_version = ${next + 1}`], "write");
    } catch (error) {
      if (await versionOf(client) <= next) throw error; // else another process was first: a hook, the daemon
    }
  }
  const isSame = await followAnalysis(client);
  return version > 0 && (version < SCHEMA_VERSION || !isSame) ? version : undefined;
}

async function dimensionsOf(client: Client): Promise<number> {
  const found = await client.execute(`SELECT value FROM meta WHERE key = 'dimensions'`);
  return Number(found.rows[0]?.[0] ?? BUILTIN_DIMENSIONS);
}

async function versionOf(client: Client): Promise<number> {
  return Number((await client.execute(`PRAGMA user_version`)).rows[0]![0]);
}

/** Has all files read again if their terms were cut another way; returns whether they were not. */
async function followAnalysis(client: Client): Promise<boolean> {
  const found = await client.execute(`SELECT value FROM meta WHERE key = 'analysis'`);
  if (found.rows[0]?.[0] === ANALYSIS) return true;
  const noted = { sql: `REPLACE INTO meta VALUES ('analysis', ?)`, args: [ANALYSIS] };
  const history = [`UPDATE history_files SET mtime_ms = ${UNREAD}`, `UPDATE history SET hash = id`];
  await client.batch([...READ_AGAIN, ...history, noted], "write");
  return false;
}
