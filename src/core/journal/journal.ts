// The journal: one Markdown file per day, beside the private memories of a project. An entry is a heading with the
// time, a comment that identifies its turn, and what happened. People may write in it too: text outside entries is kept
// and shown.

import { join } from "node:path";
import { namesIn } from "../files/there.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { JOURNAL } from "../memory/folder.ts";

/** The turn that an entry is about. */
export interface Anchor {
  readonly session: string;
  readonly turn: string;
  /** Path of the transcript. */
  readonly transcript: string;
}

/** An entry in a day's file. */
export interface JournalEntry {
  /** HH:MM. */
  readonly time: string;
  /** Undefined for text that a person wrote. */
  readonly anchor: Anchor | undefined;
  /** What it summarises, if it is no entry of a turn. */
  readonly summary?: Summarised;
  readonly bullets: readonly string[];
}

/** What a summary is about: the first and last day, and a digest of their entries. */
export interface Summarised {
  readonly from: string;
  readonly to: string;
  readonly of: string;
}

const SUMMARY = /^<!-- summary from:([\d-]+) to:([\d-]+) of:([\da-f]+) -->$/;
const DAY_FILE = /^(\d{4}-\d\d-\d\d)\.md$/;
const ANCHOR = /^<!-- session:([\w.-]+) turn:([\w.-]+) transcript:(.+) -->$/;
const TIME = /^### (\d\d:\d\d)\s*$/;
const BULLET = /^[-*] +(.+)$/;

/** A journal with its memory folder. */
export interface Journal {
  readonly path: string;
  readonly folder: MemoryFolder;
}

/** The journal for these folders: the project's private one, outside any project the user's. Never a repository's. */
export function journalOf(folders: readonly MemoryFolder[]): Journal | undefined {
  const folder = folders.find(({ scope }) => scope === "project") ??
    folders.find(({ scope }) => scope === "user");
  return folder && { path: join(folder.path, JOURNAL), folder };
}

/** The days of a journal, oldest first. */
export function journalDays(folder: string): string[] {
  return namesIn(folder).flatMap((name) => DAY_FILE.exec(name)?.[1] ?? []);
}

/** The file of a day. */
export function journalFile(folder: string, day: string): string {
  return join(folder, `${day}.md`);
}

/** The line that ties an entry to a turn. */
export function anchorLine({ session, turn, transcript }: Anchor): string {
  const path = transcript.replace(/[\r\n]/g, " ").replaceAll("-->", "-- >");
  return `<!-- session:${word(session)} turn:${word(turn)} transcript:${path} -->`;
}

/** The anchor in a line; undefined for any other line. */
export function readAnchor(line: string): Anchor | undefined {
  const [, session, turn, transcript] = ANCHOR.exec(line.trimEnd()) ?? [];
  return session === undefined ? undefined : { session, turn: turn!, transcript: transcript! };
}

/** The line that says what an entry summarises. */
export function summaryLine({ from, to, of }: Summarised): string {
  return `<!-- summary from:${from} to:${to} of:${of} -->`;
}

/** What the line of a summary says; undefined for any other line. */
export function readSummary(line: string): Summarised | undefined {
  const [, from, to, of] = SUMMARY.exec(line.trimEnd()) ?? [];
  return from === undefined ? undefined : { from, to: to!, of: of! };
}

/** The entries of a day, in order. */
export function readEntries(text: string): JournalEntry[] {
  const entries: {
    time: string;
    anchor: Anchor | undefined;
    summary?: Summarised;
    bullets: string[];
  }[] = [];
  for (const line of text.split("\n")) {
    const time = TIME.exec(line)?.[1];
    if (time !== undefined) entries.push({ time, anchor: undefined, bullets: [] });
    const entry = entries.at(-1);
    if (entry === undefined) continue;
    entry.anchor ??= readAnchor(line);
    const summary = readSummary(line);
    if (summary !== undefined) entry.summary = summary;
    const bullet = BULLET.exec(line.trimEnd())?.[1];
    if (bullet !== undefined) entry.bullets.push(bullet);
  }
  return entries;
}

/** A day's file in parts that can be joined again. */
export interface Day {
  /** The text above the first entry. */
  readonly head: string;
  readonly entries: readonly {
    /** The session's heading, if there is one above the entry. */
    readonly heading: string;
    /** The line that ties the entry to its turn, if there is one. */
    readonly line: string | undefined;
    readonly anchor: Anchor | undefined;
    readonly text: string;
  }[];
}

/** Splits a day's file. */
export function splitDay(text: string): Day {
  const [head = "", ...parts] = text.split(/^(?=### \d\d:\d\d[ \t]*$)/m);
  let heading = HEADING.exec(head)?.[0] ?? "";
  const entries = parts.map((part) => {
    const next = HEADING.exec(part)?.[0] ?? "";
    const own = next === "" ? part : part.slice(0, -next.length);
    const line = own.split("\n").find((each) => readAnchor(each) !== undefined)?.trimEnd();
    const entry = {
      heading,
      line,
      text: own.trimEnd() + "\n",
      anchor: line === undefined ? undefined : readAnchor(line),
    };
    heading = next;
    return entry;
  });
  return { head: head.replace(HEADING, ""), entries };
}

/** A heading at the end of a part, which belongs to the next one. */
const HEADING = /(?<![^\n])## (?:Session|Summary)[^\n]*\n\s*$/;

/** Joins the parts of a day's file; a heading is dropped with the last of its entries. */
export function joinDay({ head, entries }: Day): string {
  return head + entries.map(({ heading, text }) => `${heading}${text}\n`).join("");
}

/** An id without characters that an anchor cannot hold. */
function word(id: string): string {
  return id.replace(/[^\w.-]+/g, "_") || "_";
}
