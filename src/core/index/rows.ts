// A memory's row in the database, for writing and reading.

import { inEnglish } from "../text/language/english.ts";
import { ownDate } from "../memory/age.ts";
import { mentionsOf, namesOf } from "../memory/names.ts";
import { type MemoryFile, type Scope, sourceSessions } from "../memory/memory.ts";
import { analyze } from "../text/analyze.ts";
import type { InStatement } from "./connection.ts";
import type { IndexedMemory, MemoryHead } from "./corpus.ts";
import type { WordsTable } from "./words.ts";

/** What `toMemory` takes, of `memories m JOIN folders f`. */
export const MEMORY_COLUMNS =
  `m.id, m.path, f.scope, m.name, m.description, m.type, m.body, m.triggers, m.tags,
  m.confidence, m.created, m.updated, m.mtime_ms, m.size, m.turn, m.pinned, m.imported,
  m.never`;

/** What `toHead` takes, of `memories m JOIN folders f`. */
export const HEAD_COLUMNS = `m.id, m.path, f.scope, f.path, m.name, m.description, m.type, m.tags,
  m.confidence, m.created, m.updated, m.mtime_ms, m.size, m.pinned, m.session, m.imported`;

/** The memory in a row of `HEAD_COLUMNS`. */
export function toHead(row: ArrayLike<unknown>): MemoryHead {
  return {
    id: Number(row[0]),
    path: String(row[1]),
    scope: String(row[2]) as Scope,
    folder: String(row[3]),
    name: String(row[4]),
    description: String(row[5]),
    type: String(row[6]),
    tags: JSON.parse(String(row[7])),
    confidence: Number(row[8]),
    created: row[9] === null ? undefined : String(row[9]),
    updated: row[10] === null ? undefined : String(row[10]),
    mtimeMs: Number(row[11]),
    size: Number(row[12]),
    pinned: Number(row[13]) === 1,
    session: String(row[14]) || undefined,
    importedFrom: Number(row[15]) === 0 ? undefined : String(row[15]),
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
  const { file } = put;
  return [
    rowStatement(folder, put),
    ...wordsStatements(file, "words"),
    ...namesStatements(file),
    ...mentionsStatements(file),
    ...sessionStatements(file),
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

/** Enters the conversations of a memory in the place of those it had. */
function sessionStatements(file: MemoryFile): InStatement[] {
  const sessions = sourceSessions(file);
  return [
    {
      sql: `DELETE FROM talks WHERE memory = (SELECT id FROM memories WHERE path = ?)`,
      args: [file.path],
    },
    ...sessions.length === 0 ? [] : [{
      sql: `INSERT INTO talks (session, memory, own)
        SELECT e.value, m.id, e.value = ? FROM memories m, json_each(?) e WHERE m.path = ?`,
      args: [file.source?.session ?? "", JSON.stringify(sessions), file.path],
    }],
  ];
}

/** Enters what a memory names in the place of what it named. */
function mentionsStatements(file: MemoryFile): InStatement[] {
  const mentions = mentionsOf(file);
  const rows = mentions.map(({ kind, text, isTitle }) => [kind, text, Number(isTitle)]);
  return [
    {
      sql: `DELETE FROM mentions WHERE memory = (SELECT id FROM memories WHERE path = ?)`,
      args: [file.path],
    },
    ...rows.length === 0 ? [] : [{
      sql: `INSERT INTO mentions (memory, kind, text, title)
        SELECT m.id, e.value ->> 0, e.value ->> 1, e.value ->> 2
        FROM memories m, json_each(?) e WHERE m.path = ?`,
      args: [JSON.stringify(rows), file.path],
    }],
  ];
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

type Texts = Pick<IndexedMemory, "path" | "name" | "description" | "triggers" | "tags" | "body">;

/** Enters the words of a memory, or of an entry of history, in the place of those it had. */
export function wordsStatements(memory: Texts, words: WordsTable): InStatement[] {
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

/** Enters what a memory is called in the place of what it was called. */
function namesStatements(memory: Texts): InStatement[] {
  return [
    {
      sql: `DELETE FROM names WHERE memory = (SELECT id FROM memories WHERE path = ?)`,
      args: [memory.path],
    },
    {
      sql: `INSERT INTO names (name, memory)
        SELECT e.value, m.id FROM memories m, json_each(?) e WHERE m.path = ?`,
      args: [JSON.stringify(namesOf(memory)), memory.path],
    },
  ];
}

/** The memory in a row of `MEMORY_COLUMNS`. */
export function toMemory(row: ArrayLike<unknown>): IndexedMemory {
  return {
    id: Number(row[0]),
    path: String(row[1]),
    scope: String(row[2]) as Scope,
    name: String(row[3]),
    description: String(row[4]),
    type: String(row[5]),
    body: String(row[6]),
    triggers: JSON.parse(String(row[7])),
    tags: JSON.parse(String(row[8])),
    confidence: Number(row[9]),
    created: row[10] === null ? undefined : String(row[10]),
    updated: row[11] === null ? undefined : String(row[11]),
    mtimeMs: Number(row[12]),
    size: Number(row[13]),
    turn: String(row[14]) || undefined,
    pinned: Number(row[15]) === 1,
    importedFrom: Number(row[16]) === 0 ? undefined : String(row[16]),
    ...row[17] === "[]" ? {} : { never: JSON.parse(String(row[17])) },
  };
}

/** libSQL keeps a vector as its 32-bit floats, little-endian. */
export function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The numbers of a vector column, which are a part of a buffer. */
export function toVector(blob: unknown): Float32Array {
  const { buffer, byteOffset, byteLength } = blob as Uint8Array;
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
