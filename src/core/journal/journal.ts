// The journal: one Markdown file per day, beside the private memories of a project. An entry is a heading with the
// time, a comment that identifies its turn, and what happened. People may write in it too: text outside entries is kept
// and shown.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIn, readIfExists, textAt } from "../files/there.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { JOURNAL, makeFolder, refuseOutside } from "../memory/folder.ts";
import { MemoError } from "../../errors.ts";
import { waitForLock } from "../files/lock.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { localTime } from "../text/counted.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import type { Turn } from "../transcript/turns.ts";
import { READ_BULLET } from "../memory/provenance.ts";

/** The turn that an entry is about. */
export interface TurnAnchor {
  readonly session: string;
  readonly turn: string;
  readonly transcript: string;
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
const TIME = /^### (\d\d:\d\d)[^\S\n]*(?![^\n])/;
const BULLET = /^[-*] +(.+)$/;
/** Before the line that begins an entry. */
const ENTRY = /(?<![^\n])(?=### \d\d:\d\d[^\S\n]*(?![^\n]))/;
/** A heading at the end of a part, which belongs to the next one. */
const HEADING = /(?<![^\n])## (?:Session|Summary)[^\n]*\n\s*$/;

/** A journal with its memory folder. */
export type Journal = { readonly path: string; readonly folder: MemoryFolder };

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

/** The anchor in a line; undefined for any other line. */
export function readAnchor(line: string): TurnAnchor | undefined {
  const [, session, turn, transcript] = ANCHOR.exec(line.trimEnd()) ?? [];
  return session === undefined ? undefined : { session, turn: turn!, transcript: transcript! };
}

/** What the line of a summary says; undefined for any other line. */
export function readSummary(line: string): Summarised | undefined {
  const [, from, to, of] = SUMMARY.exec(line.trimEnd()) ?? [];
  return from === undefined ? undefined : { from, to: to!, of: of! };
}

/** A day's file in parts that can be joined again. */
export interface Day {
  /** The text above the first entry. */
  readonly head: string;
  readonly entries: readonly JournalEntry[];
}

export type JournalEntry = ReturnType<typeof entryIn>;

/** Splits a day's file. */
export function readDay(text: string): Day {
  const parts = text.split(ENTRY);
  const head = TIME.test(parts[0]!) ? "" : parts.shift()!;
  const headings = [head, ...parts].map((part) => HEADING.exec(part)?.[0] ?? "");
  return {
    head: head.replace(HEADING, ""),
    entries: parts.map((part, i) => entryIn(part.replace(HEADING, ""), headings[i]!)),
  };
}

function entryIn(text: string, heading: string) {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const [anchor] = lines.flatMap((line) => readAnchor(line) ?? []);
  const [summary] = lines.flatMap((line) => readSummary(line) ?? []);
  return {
    /** The session's heading, if there is one above the entry. */
    heading,
    text: text.trimEnd() + "\n",
    /** HH:MM. */
    time: TIME.exec(text)![1]!,
    /** Undefined for text that a person wrote. */
    anchor,
    /** What it summarises, if it is no entry of a turn. */
    summary,
    bullets: lines.flatMap((line) => BULLET.exec(line)?.[1] ?? []),
  };
}

/** Joins the parts of a day's file; a heading is dropped with the last of its entries. */
export function joinDay({ head, entries }: Day): string {
  return head + entries.map(({ heading, text }) => `${heading}${text}\n`).join("");
}

/** An id without characters that an anchor cannot hold. */
function word(id: string): string {
  return id.replace(/[^\w.-]+/g, "_") || "_";
}

/** Adds an entry to a day's journal unless its turn has one, or it is there already. */
export interface JournalAppend {
  readonly kind: "journal";
  readonly path: string;
  readonly folder: MemoryFolder;
  readonly anchor: string;
  readonly text: string;
}

/** Maximum bullets per entry; more add nothing. */
const MAX_BULLETS = 6, MAX_BULLET_CHARS = 400;
/** Another process holds the lock for milliseconds; after this long it hangs or has died. */
const LOCK = { freshMs: 10_000, waitMs: 15_000 };

/** The journal entry of a turn; undefined if it has none. */
export function journalEntry(
  { id, session }: Pick<Turn, "id" | "session">,
  { bullets, transcript, ...where }: Written & { readonly transcript: string },
): JournalAppend | undefined {
  const said = kept(bullets).slice(0, MAX_BULLETS);
  const path = transcript.replace(/[\r\n]/g, " ").replaceAll("-->", "-- >");
  const anchor = `<!-- session:${word(session)} turn:${word(id)} transcript:${path} -->`;
  return said.length === 0 ? undefined : appending(anchor, { ...where, bullets: said });
}

/** A summary of some days, as an entry of the day on which it was made, with its bullets as they are kept. */
export function summaryEntry(
  { from, to, of }: Summarised,
  written: Written,
): JournalAppend & { readonly bullets: readonly string[] } {
  const bullets = kept(written.bullets);
  const line = `<!-- summary from:${from} to:${to} of:${of} -->`;
  return { ...appending(line, { ...written, bullets }), bullets };
}

interface Written {
  /** What happened, in the third person. */
  readonly bullets: readonly string[];
  readonly journal: Journal;
  readonly at: Date;
}

function appending(anchor: string, { bullets, journal, at }: Written): JournalAppend {
  const { day, time } = localTime(at);
  const lines = [`### ${time}`, anchor, ...bullets.map((bullet) => `- ${bullet}`)];
  const path = journalFile(journal.path, day);
  return { kind: "journal", path, folder: journal.folder, anchor, text: lines.join("\n") + "\n" };
}

/** Whether the journal has an entry for the same turn. */
export function isInJournal({ path, anchor }: JournalAppend): boolean {
  return hasEntry(readIfExists(path) ?? "", anchor);
}

/**
 * Adds an entry to a day's journal, below a new heading if the previous entry is of another session; an entry for a
 * turn that already has one is not added. Returns whether it was added. The file is replaced atomically under a lock,
 * so that entries of two processes follow each other, and a crash leaves a whole entry or none.
 */
export async function appendEntry(
  { path, folder: memories, anchor, text }: Omit<JournalAppend, "kind">,
): Promise<boolean> {
  const folder = dirname(path);
  makeFolder(memories);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseOutside(path, memories.path);
  const lock = join(folder, ".lock");
  const release = await waitForLock(lock, LOCK);
  if (release === undefined) {
    throw new MemoError(
      "timeout",
      `Cannot write to the journal: another process has locked \`${lock}\``,
      {
        hint: "Run `memo daemon stop`, then remove that file",
      },
    );
  }
  try {
    const before = readIfExists(path) ?? "";
    if (hasEntry(before, anchor)) return false;
    const heading = headingFor(anchor, text, before);
    const above = before.trim() === "" ? "" : `${before.trimEnd()}\n\n`;
    writeFileAtomic(path, above + heading + text);
    return true;
  } finally {
    release();
  }
}

/** The heading above an entry; none if the previous one is of the same session. */
function headingFor(anchor: string, text: string, before: string): string {
  const summarised = readSummary(anchor);
  if (summarised !== undefined) return `## Summary of ${summarised.from} to ${summarised.to}\n\n`;
  const own = readAnchor(anchor);
  const last = readDay(before).entries.at(-1);
  const isSameSession = own !== undefined && last?.anchor?.session === own.session;
  return isSameSession ? "" : `## Session ${/\d\d:\d\d/.exec(text)?.[0] ?? ""}\n\n`;
}

/** Whether a day has an entry for the turn of an anchor, or this very line. */
function hasEntry(day: string, anchor: string): boolean {
  const turn = readAnchor(anchor)?.turn;
  return day.split("\n").some((line) =>
    turn === undefined ? line === anchor : readAnchor(line)?.turn === turn
  );
}

/** Bullets, each as one line that can neither close the block that shows it nor look like an anchor. */
function kept(bullets: readonly string[]): string[] {
  return bullets.map((bullet) => neutraliseLine(bullet).replace(/^(?:[-*•] +)+/, ""))
    .filter((text) => text !== "").map((text) =>
      text.length <= MAX_BULLET_CHARS
        ? text
        : text.slice(0, MAX_BULLET_CHARS - 1).toWellFormed() + "…"
    );
}

const DAYS = 2, LINES = 30;
/** An earlier day is left out if it is further back than this: rules that it tells of may have changed since. */
const NEAR_MS = 7 * 86_400_000;

/**
 * The last 30 lines of the 2 newest days, if near each other, of the applicable journal: the project's, else the user's.
 * `without` leaves out entries, such as those of the conversation that reads the journal.
 */
export function journalTail(
  folders: readonly MemoryFolder[],
  without: (anchor: TurnAnchor) => boolean = () => false,
): string[] {
  const folder = journalOf(folders)?.path;
  if (folder === undefined) return [];
  const days = journalDays(folder).slice(-DAYS);
  const newest = Date.parse(days.at(-1) ?? "");
  return days.filter((day) => newest - Date.parse(day) <= NEAR_MS).flatMap((day) => {
    const text = textAt(journalFile(folder, day)) ?? ""; // deleted since
    const lines = linesWithout(text.trimEnd(), without).slice(-LINES);
    return lines.some((line) => line !== "") ? [day, ...lines] : [];
  });
}

/** A day's visible lines, without some entries and without session headings that have no entry left. */
function linesWithout(text: string, without: (anchor: TurnAnchor) => boolean): string[] {
  const sessions = text.split(/^(?=## )/m).map((session) => {
    const [heading, ...entries] = session.split(/^(?=### )/m);
    const kept = entries.filter((entry) => {
      const anchor = entry.split("\n").map(readAnchor).find((anchor) => anchor !== undefined);
      return anchor === undefined || !without(anchor);
    });
    return kept.length === 0 && entries.length > 0 ? "" : heading + kept.join("");
  });
  // Anchors are for programs, and text that was only read must not open a session.
  return sessions.join("").trimEnd().split("\n").filter((line) =>
    readAnchor(line) === undefined && readSummary(line) === undefined &&
    !line.startsWith(`- ${READ_BULLET}`)
  );
}
