// A record of another tool's store, on its way to a memory.

import { createHash } from "node:crypto";
import type { Memory } from "../../core/memory/memory.ts";
import type { Place } from "../../core/memory/project.ts";
import { titleOf } from "../../core/memory/title.ts";
import { oneLine } from "../../core/text/neutralise.ts";
import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { irregular, readRegular } from "../../core/files/bounded.ts";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DB_SIDES } from "../../paths.ts";
import { statsOf } from "../../core/files/there.ts";

/** The content of a memory, as far as a source has it. */
export type RecordContent = Partial<Omit<Memory, "body">> & { readonly body: string };

/** One record of a source. */
export interface SourceRecord {
  /** The same for the same record at every import. */
  readonly id: string;
  readonly content: RecordContent;
  /** Where it applies by its source: everywhere, or in the project of the working directory. */
  readonly scope: "user" | "project";
  /** The source says that it has been replaced or put away: it goes into the archive. */
  readonly isOld?: boolean;
  /** The file of instructions that it stands in. */
  readonly file?: string;
}

/** A record, or a part of the source, that was left out. */
export interface Skipped {
  readonly what: string;
  readonly because: string;
  /** The number of records that it stands for; default: one. */
  readonly count?: number;
}

/** What a source holds. */
export interface SourceContent {
  readonly records: readonly SourceRecord[];
  readonly skipped: readonly Skipped[];
}

/** The reading of a source by its parts, each a record or the reason why it is none. */
export function readingOf(parts: readonly (SourceRecord | Skipped)[]): SourceContent {
  return {
    records: parts.filter((part) => "content" in part),
    skipped: parts.filter((part) => "because" in part),
  };
}

/** Several readings as one. */
export function allOf(readings: readonly SourceContent[]): SourceContent {
  return readingOf(readings.flatMap(({ records, skipped }) => [...records, ...skipped]));
}

/** The surroundings of an import. */
export interface ImportPlace extends Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes the records of all projects, where a source tells them apart. */
  readonly isAll?: boolean;
}

/** What `memo import`, its completion and docs/sharing.md say of a source. */
export interface SourceRow {
  readonly name: string;
  readonly summary: string;
  /** Where it is looked for, in words. */
  readonly where: string;
  /** What becomes a memory. */
  readonly gives: string;
}

/** A tool whose memories can be imported. */
export interface ImportSource extends SourceRow {
  /** What it was called before: commands and memories may still name it so. */
  readonly formerly?: string;
  /** The places where the tool keeps its memories, likeliest first; none needs to exist. */
  places(place: ImportPlace): readonly string[] | Promise<readonly string[]>;
  /** Reads every record of a file or folder. Rejects with a MemoError only if nothing can be read. */
  read(path: string, place: ImportPlace): SourceContent | Promise<SourceContent>;
}

/** A text as a memory named by its first sentence, unless it has a name. */
export function contentOf(body: string, given: Partial<Omit<Memory, "body">> = {}): RecordContent {
  const title = titleOf(body);
  const name = oneLine(given.name ?? "") || title.name;
  const isSame = title.sentence.replace(/[.。]$/, "") === name;
  return {
    ...given,
    name,
    description: oneLine(given.description ?? "") || (isSame ? "" : title.sentence),
    body,
  };
}

/** A date in ISO 8601; undefined if it is none. Numbers are milliseconds, or seconds if they are small. */
export function dateOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const isSeconds = typeof value === "number" && Math.abs(value) < 1e11;
  const date = new Date(isSeconds ? value * 1000 : value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A text, or `""`. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** The texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : [];
}

/** A short id of a text. */
export function shortId(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

// The files of other tools: text, JSON, and SQLite databases, which are read and never changed.
/** Maximum bytes of one file, and of an archive when it is unpacked: more is not a store of notes. */
export const MAX_BYTES = 256 * 1024 * 1024;

/** PowerShell writes UTF-16, with a mark of the order of its bytes. */
const WIDE: Readonly<Record<string, string>> = { "255 254": "utf-16le", "254 255": "utf-16be" };

/** The text of a source's file; throws a MemoError that says what is wrong with it. */
export function readText(path: string, maxBytes = MAX_BYTES): string {
  const bytes = readBytes(path, maxBytes);
  const [first, second] = bytes;
  const encoding = WIDE[`${first} ${second}`] ?? "utf-8";
  return new TextDecoder(encoding).decode(bytes).replaceAll("\0", "");
}

/** The bytes of a source's file. */
export function readBytes(path: string, maxBytes = MAX_BYTES): Uint8Array {
  try {
    return readRegular(path, maxBytes);
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw notThere(path, "no such file or folder", error);
    throw unreadable(path, messageOf(error), { hint: HINT, cause: error });
  }
}

const HINT = "Run `memo import` to see what can be imported";

/** The error for a path without a file or folder of a source. */
export function notThere(path: string, because: string, cause?: unknown): MemoError {
  return new MemoError("not-found", `Cannot import \`${path}\`: ${because}`, { hint: HINT, cause });
}

/** The error for a file that is not what its source reads. */
export function unreadable(
  path: string,
  because: string,
  options?: ConstructorParameters<typeof MemoError>[2],
): MemoError {
  return new MemoError("file", `Cannot import \`${path}\`: ${because}`, options);
}

/** The value of a JSON file. */
export function readJson(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, `it is not JSON: ${messageOf(cause)}`, { cause });
  }
}

/** A row, by the names of its columns. */
export type TableRow = Readonly<Record<string, unknown>>;

/**
 * Reads a database through a copy with its log, so that neither a lock nor a checkpoint touches the original: opening a
 * database in WAL mode writes beside it. Throws a MemoError for a file that is none.
 */
export async function readDatabase<T>(
  path: string,
  work: (query: (sql: string) => Promise<TableRow[]>) => Promise<T>,
): Promise<T> {
  const stats = statsOf(path);
  if (!stats?.isFile()) {
    throw notThere(path, stats === undefined ? "no such file" : irregular(stats));
  }
  const { createClient } = await import("@libsql/client"); // it unpacks a library
  const folder = mkdtempSync(join(tmpdir(), "memo-import-"));
  const copy = join(folder, basename(path));
  try {
    for (const side of ["", ...DB_SIDES]) {
      if (existsSync(path + side)) copyFileSync(path + side, copy + side);
    }
    const client = createClient({ url: `file:${encodeURI(copy)}` });
    using _ = { [Symbol.dispose]: () => client.close() };
    return await work(async (sql) => (await client.execute(sql)).rows);
  } catch (cause) {
    throw cause instanceof MemoError ? cause : unreadable(path, messageOf(cause), { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
