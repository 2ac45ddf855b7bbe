import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemoError } from "../../errors.ts";
import { waitForLock } from "../files/lock.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { textIfThere } from "../files/there.ts";
import {
  type Anchor,
  anchorLine,
  type Journal,
  journalFile,
  readAnchor,
  readEntries,
  readSummary,
  type Summarised,
  summaryLine,
} from "./journal.ts";
import { localTime } from "../text/local_time.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { makeFolder, refuseOutside } from "../memory/folder.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import type { Turn } from "../transcript/turn.ts";

/** Adds an entry to a day's journal unless its turn has one, or it is there already. */
export interface JournalAppend {
  readonly kind: "journal";
  readonly path: string;
  /** The memory folder of the journal. */
  readonly folder: MemoryFolder;
  readonly anchor: string;
  readonly text: string;
}

export interface EntryOptions {
  /** What happened, in the third person. */
  readonly bullets: readonly string[];
  /** Path of the turn's transcript. */
  readonly transcript: string;
  readonly journal: Journal;
  /** When the turn began. */
  readonly at: Date;
}

/** Maximum bullets per entry; more add nothing. */
const MAX_BULLETS = 6;
const MAX_BULLET_CHARS = 400;
/** Another process holds the lock for milliseconds; after this long it hangs or has died. */
const LOCK_FRESH_MS = 10_000;
const LOCK_WAIT_MS = 15_000;

/** The journal entry of a turn; undefined if it has none. */
export function journalEntry(
  { id, session }: Pick<Turn, "id" | "session">,
  { bullets, transcript, journal, at }: EntryOptions,
): JournalAppend | undefined {
  const said = bullets.map(bulletText).filter((bullet) => bullet !== "").slice(0, MAX_BULLETS);
  if (said.length === 0) return undefined;
  const { day, time } = localTime(at);
  const anchor = anchorLine({ session, turn: id, transcript });
  const lines = [`### ${time}`, anchor, ...said.map((bullet) => `- ${bullet}`)];
  const path = journalFile(journal.path, day);
  return { kind: "journal", path, folder: journal.folder, anchor, text: lines.join("\n") + "\n" };
}

/** A summary of some days, as an entry of the day on which it was made, with its bullets as they are kept. */
export function summaryEntry(
  summarised: Summarised,
  { bullets, journal, at }: Pick<EntryOptions, "bullets" | "journal" | "at">,
): JournalAppend & { readonly bullets: readonly string[] } {
  const kept = bullets.map(bulletText).filter((bullet) => bullet !== "");
  const { day, time } = localTime(at);
  const anchor = summaryLine(summarised);
  const lines = [`### ${time}`, anchor, ...kept.map((bullet) => `- ${bullet}`)];
  const path = journalFile(journal.path, day);
  const text = lines.join("\n") + "\n";
  return { kind: "journal", path, folder: journal.folder, anchor, text, bullets: kept };
}

/** Whether the journal has an entry for the same turn. */
export function isInJournal({ path, anchor }: JournalAppend): boolean {
  return hasEntry(textIfThere(path) ?? "", anchor);
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
  const release = await lock(join(folder, ".lock"));
  try {
    const before = textIfThere(path) ?? "";
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
  const last = readEntries(before).at(-1);
  const isSameSession = own !== undefined && last?.anchor?.session === own.session;
  return isSameSession ? "" : `## Session ${/\d\d:\d\d/.exec(text)?.[0] ?? ""}\n\n`;
}

/** Whether a day has an entry for the turn of an anchor, or this very line. */
function hasEntry(day: string, anchor: string): boolean {
  const own = readAnchor(anchor);
  if (own === undefined) return day.split("\n").includes(anchor);
  return anchorsIn(day).some(({ turn }) => turn === own?.turn);
}

function anchorsIn(day: string): Anchor[] {
  return day.split("\n").flatMap((line) => readAnchor(line) ?? []);
}

/** A bullet as one line that can neither close the block that shows it nor look like an anchor. */
function bulletText(bullet: string): string {
  const text = neutraliseLine(bullet).replace(/^(?:[-*•] +)+/, "");
  return text.length <= MAX_BULLET_CHARS
    ? text
    : text.slice(0, MAX_BULLET_CHARS - 1).toWellFormed() + "…";
}

async function lock(path: string): Promise<() => void> {
  const release = await waitForLock(path, { freshMs: LOCK_FRESH_MS, waitMs: LOCK_WAIT_MS });
  if (release !== undefined) return release;
  throw new MemoError("timeout", `Cannot write to the journal: another process holds \`${path}\``, {
    hint: "Run `memo daemon stop`, then remove that file",
  });
}
