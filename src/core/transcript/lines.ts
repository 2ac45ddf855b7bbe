import { closeSync, openSync, readSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { refuseIrregular } from "../files/bounded.ts";
import { dirname, join } from "node:path";
import { namesIn, statsOf } from "../files/there.ts";
import { withSlashes } from "../files/slashes.ts";

/** A whole line of a file. */
export interface TextLine {
  readonly text: string;
  /** Its end in the file, in bytes, with its line break. */
  readonly end: number;
}

export interface LinesOptions {
  /** The byte to start at, where a line begins. */
  readonly from?: number;
  /** Yield only lines that contain one of these; the bytes are searched, so other lines are never decoded. */
  readonly holding: readonly string[];
}

const CHUNK_BYTES = 256 * 1024;
/** A longer line is matched on its first bytes and skipped without buffering if they do not match. */
const HEAD_BYTES = 64 * 1024;
/** A longer line is given without its text. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Streams the lines of a file, for transcripts: they are large, and a tenth of them is conversation. A last line
 * without its line break is still being written and is left out. A file of one chunk is read without a pause, so that a
 * prompt that waits for it has it, however busy the machine is. Throws the system's error if the file does not exist.
 */
export async function* linesOf(
  path: string,
  { from = 0, holding }: LinesOptions,
): AsyncGenerator<TextLine> {
  const line = new PartialLine(holding);
  refuseIrregular(statSync(path));
  const file = openSync(path, "r");
  try {
    for (let at = from, size = CHUNK_BYTES; size === CHUNK_BYTES; at += size) {
      if (at > from) await setImmediate();
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      size = readSync(file, chunk, 0, CHUNK_BYTES, at);
      const bytes = chunk.subarray(0, size);
      let start = 0;
      for (let stop; (stop = bytes.indexOf("\n", start)) >= 0; start = stop + 1) {
        line.add(bytes.subarray(start, stop));
        const text = line.take();
        if (text !== undefined) yield { text, end: at + stop + 1 };
      }
      line.add(bytes.subarray(start));
    }
  } finally {
    closeSync(file);
  }
}

class PartialLine {
  readonly #holding: readonly string[];
  #pieces: Buffer[] = [];
  #size = 0;
  /** Whether it is to be read, as soon as that is known. */
  #isWanted: boolean | undefined;

  constructor(holding: readonly string[]) {
    this.#holding = holding;
  }

  add(piece: Buffer): void {
    if (this.#isWanted === false) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size > HEAD_BYTES) this.#isWanted ??= this.#holds();
    if (this.#isWanted === false || this.#size > MAX_BYTES) this.#pieces = [];
  }

  /** Returns the line if it matches, and begins the next one. */
  take(): string | undefined {
    const text = this.#isWanted ?? this.#holds() ? this.#bytes().toString("utf8") : undefined;
    [this.#pieces, this.#size, this.#isWanted] = [[], 0, undefined];
    return text;
  }

  #holds(): boolean {
    const bytes = this.#bytes();
    return this.#holding.some((text) => bytes.includes(text));
  }

  #bytes(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
  }
}

// Lines of transcripts are JSON of other programs: every field may be missing or of another type.
/** The fields of a line or of a part of it, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** A line's fields; undefined if it is not JSON, or still being written. */
export function parse(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Throws that a line has no fields; what it has may be a secret. */
export function broken(): never {
  throw new SyntaxError("a line is damaged, or longer than 16 MB");
}

/** The texts of a message's content, which is one text or a list of blocks. */
export function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return blocksOf(content).filter((block) => block["type"] === "text").map((block) =>
    String(block["text"] ?? "")
  );
}

/** A list's items that are objects. */
export function blocksOf(content: unknown): Fields[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.map(fieldsOf).filter((block) => block !== undefined);
}

/** The fields of a value; undefined if it has none. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? value as Fields : undefined;
}

/** A time of the transcript; the earliest possible one if it has none. */
export function timeOf(value: unknown): string {
  const time = typeof value === "string" ? Date.parse(value) : NaN;
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

/** The value if it is a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Marks transcript lines with text that a hook gave to the model. */
export const HOOK_TEXT = '"hook_additional_context"';

/** A text that a hook handed to the model. */
export interface HookText {
  /** The hook event, if the line names it. */
  readonly event: string | undefined;
  readonly text: string;
}

/** The hook texts in a transcript line; none if it is incomplete or of another kind. */
export function hookTexts(line: string): HookText[] {
  return line.includes(HOOK_TEXT) ? hookTextsIn(parse(line) ?? {}) : [];
}

/** The same for a parsed line. */
export function hookTextsIn({ type, attachment }: Fields): HookText[] {
  const { type: kind, hookEvent, content } = fieldsOf(attachment) ?? {};
  if (type !== "attachment" || kind !== "hook_additional_context") return [];
  const event = typeof hookEvent === "string" ? hookEvent : undefined;
  return [content].flat().filter((text) => typeof text === "string")
    .map((text) => ({ event, text }));
}

/** Whether a version of Claude Code is known to write hook texts into its transcripts; 2.0.77 does not. */
export function writesHookTexts(client: string | undefined): boolean {
  return client !== undefined && client.localeCompare("2.1.100", "en", { numeric: true }) >= 0;
}

/** Tags at the beginning of text that Claude Code itself puts into a user turn. */
const TAGS =
  /^\s*<(task-notification|command-(name|message|args)|local-command-\w+|system-reminder|bash-(input|stdout|stderr)|user-prompt-submit-hook)\b/;

/** Whether a prompt's text comes from Claude Code rather than a person. */
export function isSynthetic(text: string): boolean {
  return TAGS.test(text);
}

/** The transcripts of a session's subagents, in a folder beside its own. */
export function subagentTranscripts(transcript: string): string[] {
  const folder = join(transcript.replace(/\.jsonl$/, ""), "subagents");
  return namesIn(folder).filter((name) => name.endsWith(".jsonl")).map((name) =>
    join(folder, name)
  );
}

// Conversations that a client keeps in a SQLite database. The transcript of one is `…/NAME.db/SESSION`. It has no bytes to
// count: a position in it is a time, in milliseconds since 1970, and its size the time of the database's last change.
const STORED = /^(.*\.db)[\\/](ses_\w+)$/;

/** How long a client that writes is waited for. */
const BUSY_MS = 2000, DAY_MS = 86_400_000;

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

/** The session's row, then its messages after a position, each with its parts. Throws the system's error without a database. */
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
    const read = (json: unknown) => parse(String(json)) ?? {};
    const line = { ...read(data), parts: parts.map((part) => read(part["data"])) };
    yield { line, end: Number(created) };
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

/** Clients that have a folder for each day, or for each session. */
const OWN_FOLDER = /(?:\/\d{4}\/\d\d\/\d\d\/[^/]+|\/[^/]+\/events)\.jsonl$/;

/** The folder with the transcripts of a client's other sessions beside one: of a project's, where it tells them apart. */
export function sessionsFolder(transcript: string): string {
  const path = withSlashes(transcript), folder = path.replace(OWN_FOLDER, "");
  return folder === path ? dirname(transcript) : folder;
}
