// A memory's row in the database, for writing and reading.

import { inEnglish } from "../text/language/english.ts";
import { ownDate } from "../memory/age.ts";
import { mentionsOf, namesOf } from "../memory/names.ts";
import { type MemoryFile, type Scope, sourceSessions } from "../memory/memory.ts";
import { analyze } from "../text/analyze.ts";
import type { InStatement } from "./connection.ts";
import type { IndexedMemory, MemoryHead } from "./corpus.ts";
import type { WordsTable } from "./words.ts";

/** What `toHead` takes, of `memories m JOIN folders f`. */
export const HEAD_COLUMNS = `m.id, m.path, f.scope, f.path, m.name, m.description, m.type, m.tags,
  m.confidence, m.created, m.updated, m.mtime_ms, m.size, m.pinned, m.session, m.imported`;
/** What `toMemory` takes. */
export const MEMORY_COLUMNS = `${HEAD_COLUMNS}, m.body, m.triggers, m.turn, m.never`;

type IndexedText = string;
type Dates = [created: IndexedText | null, updated: IndexedText | null, mtimeMs: number];
/** A row of `HEAD_COLUMNS`. */
export type HeadRow = readonly [
  ...[
    id: number,
    path: IndexedText,
    scope: Scope,
    folder: IndexedText,
    name: IndexedText,
    description: IndexedText,
  ],
  ...[
    type: IndexedText,
    tags: IndexedText,
    confidence: number,
    ...Dates,
    size: number,
    pinned: number,
  ],
  ...[session: IndexedText, imported: IndexedText | 0],
];
/** A row of `MEMORY_COLUMNS`. */
export type MemoryRow = readonly [
  ...HeadRow,
  body: IndexedText,
  triggers: IndexedText,
  turn: IndexedText,
  never: IndexedText,
];

/** The memory in a row of `HEAD_COLUMNS`. */
export function toHead(row: HeadRow | MemoryRow): MemoryHead {
  const [id, path, scope, folder, name, description, type, tags, confidence, ...rest] = row;
  const [created, updated, mtimeMs, size, pinned, session, imported] = rest;
  return {
    ...{ id, path, scope, folder, name, description, type, confidence, mtimeMs, size },
    tags: JSON.parse(tags),
    created: created ?? undefined,
    updated: updated ?? undefined,
    pinned: pinned === 1,
    session: session || undefined,
    importedFrom: imported || undefined,
  };
}

/** The memory in a row of `MEMORY_COLUMNS`. */
export function toMemory(row: MemoryRow): IndexedMemory {
  const { folder: _folder, session: _session, ...head } = toHead(row);
  const [body, triggers, turn, never] = row.slice(-4) as [
    IndexedText,
    IndexedText,
    IndexedText,
    IndexedText,
  ];
  return {
    ...{ ...head, body, triggers: JSON.parse(triggers), turn: turn || undefined },
    ...never === "[]" ? {} : { never: JSON.parse(never) },
  };
}

/** A memory to enter. */
export interface Put {
  readonly file: MemoryFile;
  /** Of the file's bytes. */
  readonly hash: string;
  /** What the file itself says (`saidIn`), where its text is what is entered. */
  readonly said?: string;
  /** By what commands find it: its id there (`idOf`), and the words of its name and path (`labelOf`). */
  readonly ident?: string;
  readonly label?: string;
}

/** Enters a memory or replaces it, with its words and names. */
export function putStatements(folder: number, put: Put): InStatement[] {
  const { file } = put, { path } = file;
  const own = file.source?.session;
  const mentions = mentionsOf(file).map((each) => [each.kind, each.text, Number(each.isTitle)]);
  const talks = sourceSessions(file).map((session) => [session, Number(session === own)]);
  return [
    rowStatement(folder, put),
    ...wordsStatements(file, "words"),
    ...namesStatements(file),
    ...belongings(path, "mentions", ["kind", "text", "title"], mentions),
    ...belongings(path, "talks", ["session", "own"], talks),
  ];
}

/** Enters or replaces the row alone, of a memory or an entry of history. */
export function rowStatement(
  folder: number,
  { file, hash, said = "", ident = "", label = "" }: Put,
  { isPast = false } = {},
): InStatement {
  const { path, name, description, type, body, confidence, size, source } = file;
  const values = {
    ...{ folder, path, name, description, type, body, confidence, size, hash, said, ident, label },
    triggers: JSON.stringify(file.triggers),
    tags: JSON.stringify(file.tags),
    created: file.created ?? null,
    updated: file.updated ?? null,
    problems: JSON.stringify(file.problems),
    mtime_ms: file.mtimeMs,
    turn: source?.turn || source?.session || "",
    pinned: Number(file.pinned),
    digest: file.digest ?? "",
    session: source?.session ?? "",
    imported: source?.import ?? 0,
    never: JSON.stringify(file.never ?? []),
    dated_ms: ownDate(file) ?? null,
    past: Number(isPast),
    embedded: 0,
    tries: 0,
    related: Number(isPast),
  };
  const columns = Object.keys(values);
  return {
    sql: `INSERT INTO memories (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
      ON CONFLICT (path) DO UPDATE SET ${columns.map((each) => `${each} = excluded.${each}`)}`,
    args: Object.values(values),
  };
}

/** Enters what belongs to a memory into a table in the place of what it had there; a row has the values of `columns`. */
function belongings(
  path: string,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): InStatement[] {
  const values = columns.map((_, i) => `e.value ->> ${i}`);
  const sql = `INSERT INTO ${table} (memory, ${columns.join(", ")})
    SELECT m.id, ${values.join(", ")} FROM memories m, json_each(?) e WHERE m.path = ?`;
  return [
    {
      sql: `DELETE FROM ${table} WHERE memory = (SELECT id FROM memories WHERE path = ?)`,
      args: [path],
    },
    ...rows.length === 0 ? [] : [{ sql, args: [JSON.stringify(rows), path] }],
  ];
}

function namesStatements(memory: IndexedTexts): InStatement[] {
  return belongings(memory.path, "names", ["name"], namesOf(memory).map((name) => [name]));
}

/** Gives a memory that is entered other triggers. */
export function triggersStatements(
  memory: IndexedMemory,
  triggers: readonly string[],
): InStatement[] {
  return [
    {
      sql: `UPDATE memories SET triggers = ?, embedded = 0, tries = 0 WHERE path = ?`,
      args: [JSON.stringify(triggers), memory.path],
    },
    ...wordsStatements({ ...memory, triggers }, "words"),
    ...namesStatements({ ...memory, triggers }),
  ];
}

type IndexedTexts = Pick<
  IndexedMemory,
  "path" | "name" | "description" | "triggers" | "tags" | "body"
>;

/** Enters the words of a memory, or of an entry of history, in the place of those it had. */
export function wordsStatements(memory: IndexedTexts, words: WordsTable): InStatement[] {
  const fields = [
    memory.name,
    memory.description,
    memory.triggers.join("\n"),
    memory.tags.join("\n"),
    memory.body,
  ];
  const english = inEnglish(fields.join("\n"))?.words.join(" ") ?? "";
  const terms = [...fields, english].map((text) => analyze(text).join(" "));
  return [
    {
      sql: `DELETE FROM ${words} WHERE rowid = (SELECT id FROM memories WHERE path = ?)`,
      args: [memory.path],
    },
    {
      sql: `INSERT INTO ${words} (rowid, name, description, triggers, tags, body, english)
        SELECT id, ?, ?, ?, ?, ?, ? FROM memories WHERE path = ?`,
      args: [...terms, memory.path],
    },
  ];
}

/** libSQL keeps a vector as its 32-bit floats, little-endian. */
export function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The numbers of a vector column, which are a part of a buffer. */
export function toVector({ buffer, byteOffset, byteLength }: Uint8Array): Float32Array {
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
