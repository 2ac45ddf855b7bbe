import type {
  KnownMemories,
  Memory,
  MemoryFile,
  MemoryFolder,
  NameMatch,
  Problem,
} from "../memory/memory.ts";
import { CUT } from "../memory/title.ts";
import { Connection } from "./connection.ts";
import { CHANGED_AT, IS_UNSAID, SCHEMA_VERSION } from "./database.ts";

/** The parts of a memory that have no column, or another value there than in the file. */
type UncolumnedFields = Omit<Memory, "name" | "description" | "type" | "body">;

/** Those of a memory file, for the column `said`. */
export function saidIn(file: Memory): string {
  const { triggers, never, tags, pinned, confidence, created, updated, supersedes, source } = file;
  const said: UncolumnedFields = {
    ...{ triggers, never, tags, pinned, confidence, created, updated, supersedes, source },
  };
  return JSON.stringify(said);
}

/** Opens what an index knows of memory files, in some folders as they are now; undefined: it cannot be used. */
export async function openKnown(
  path: string,
  current: readonly string[] = [],
): Promise<KnownMemories | undefined> {
  let db: Connection | undefined;
  try {
    db = await Connection.to(path);
    if (await db.count(`PRAGMA user_version`) === SCHEMA_VERSION) {
      return knownIn(db, current);
    }
  } catch {
    // damaged, or no database: `memo doctor` says so
  }
  db?.close();
  return undefined;
}

function knownIn(db: Connection, current: readonly string[]): KnownMemories {
  const asOf = performance.now();
  return {
    isCurrent: ({ path }) => performance.now() - asOf < CURRENT_MS && current.includes(path),

    idsNear(ids, { path }) {
      const rows: (string | null)[][] = ids.length > MOST_NEIGHBOURS
        ? db.rows(`SELECT ident FROM memories WHERE folder = ${FOLDER}`, [path])
        : db.rows(NEIGHBOURS, [JSON.stringify(ids), path]);
      return rows.flat().filter((id) => id !== null);
    },

    others({ path }) {
      const sql = `SELECT path FROM memories WHERE folder = ${FOLDER} AND ${IS_UNSAID}`;
      return db.rows<[string]>(sql, [path]).flat();
    },

    files({ path }) {
      const rows = db.rows<[string, number, number]>(
        `SELECT path, mtime_ms, size FROM memories WHERE folder = ${FOLDER} AND said <> ''`,
        [path],
      );
      return new Map(rows.map(([file, mtimeMs, size]) => [file, { mtimeMs, size }]));
    },

    *memories(
      { path, scope }: MemoryFolder,
      { isNewestFirst, words, named }: Parameters<KnownMemories["memories"]>[1],
    ): Generator<MemoryFile> {
      const [called, calledArgs] = named === undefined ? ["", []] : calledLike(named, path);
      const rows = db.iterate<
        [number, number, string, string, string, string, string, string, string, string]
      >(
        `SELECT mtime_ms, size, path, name, description, type, body, digest, said, problems
          FROM memories WHERE folder = ${FOLDER} AND said <> ''` +
          (words === undefined ? "" : ` AND id IN (SELECT rowid FROM words WHERE words MATCH ?)`) +
          (named === undefined ? "" : ` AND id IN (${called})`) +
          (isNewestFirst ? ` ORDER BY ${CHANGED_AT} DESC, path` : ""),
        [
          path,
          ...words === undefined ? [] : [[...words].map((word) => `"${word}"`).join(" OR ")],
          ...calledArgs,
        ],
      );
      for (const [mtimeMs, size, path, name, description, type, body, digest, ...json] of rows) {
        const [said, problems] = json.map((each) => JSON.parse(each)) as [
          UncolumnedFields,
          readonly Problem[],
        ];
        yield {
          ...{ created: undefined, updated: undefined, source: undefined },
          ...said,
          ...{ name, description, type, body, path, scope, size, mtimeMs, digest, problems },
        };
      }
    },
  };
}

/** Of more ids than this all are taken at once, which is faster. */
const MOST_NEIGHBOURS = 1000;

/** The ids before and after each of some, in a folder. */
export const NEIGHBOURS = `SELECT
    (SELECT max(ident) FROM memories WHERE folder = f.id AND ident < i.value),
    (SELECT min(ident) FROM memories WHERE folder = f.id AND ident > i.value)
  FROM json_each(?) i, folders f WHERE f.path = ?`;

/** The memories of a folder that a name can stand for. */
function calledLike({ path, id, words }: NameMatch, folder: string): [sql: string, args: string[]] {
  const few = words.slice(0, MOST_WORDS);
  const having = ["1", ...few.map(() => `instr(label, ?)`)].join(" AND ");
  const beginsLike = `ident >= ? AND ident < ? || '{'`; // which comes after all letters
  return [
    `SELECT id FROM memories WHERE path = ?
      UNION ALL SELECT id FROM memories WHERE folder = ${FOLDER} AND ${beginsLike}
      UNION ALL SELECT id FROM memories WHERE folder = ${FOLDER}
        AND (instr(label, '${CUT}') OR (${having}))`,
    [path, folder, id ?? "{", id ?? "{", folder, ...few],
  ];
}

/** A command that has waited this long, for an editor or an answer, compares the files. */
const CURRENT_MS = 10_000;

/** So many tell memories apart: SQL has a limit. */
const MOST_WORDS = 10;

const FOLDER = `(SELECT id FROM folders WHERE path = ?)`;
