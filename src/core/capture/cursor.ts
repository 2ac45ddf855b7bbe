// How far each transcript has been captured. A cursor is written together with the result it stands for, so each turn
// is captured once.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../files/lock.ts";
import { namesIn, statsOf } from "../files/there.ts";
import { shortHash } from "../../paths.ts";
import { lastPart, sessionsFolder, transcriptStats } from "../transcript/lines.ts";
import { readState, writeState } from "../files/state.ts";

export interface Cursor {
  readonly transcript: string;
  readonly cwd: string;
  /** The folder that Claude Code runs in, if the hook knows it. */
  readonly projectDir?: string | undefined;
  /** Claude Code's configuration folder. */
  readonly claude: string;
  /** The end of the last captured turn, in bytes. */
  readonly offset: number;
  /** The captured turns. */
  readonly turns: readonly string[];
  /** The transcript's size when everything in it had been captured. */
  readonly seen?: number;
  /** The Claude Code process that last wrote to it. */
  readonly pid?: number | undefined;
  /** Whether the session had no login and no settings of its own, so it can be captured without its environment. */
  readonly isPlain?: boolean | undefined;
  /** Whether nothing might be sent when memo last heard of it: what has been added since is not captured either. */
  readonly isClosed?: true;
}

/** A transcript that memo first sees midway is captured from this far before its end; a tenth of it is conversation. */
const FIRST_BYTES = 1024 * 1024;
/** A session silent for this long is over, even if its process seems to run: process ids are reused. */
const QUIET_MS = 86_400_000;
/** Maximum killed sessions to resume at once, newest first. */
const MAX_LEFT = 20;
/** How long to keep the cursor of a deleted transcript, which may still have forks. */
const MAX_AGE_MS = 90 * 86_400_000;

/** The location of a transcript, as the hooks report it. */
export type Location = Pick<
  Cursor,
  "transcript" | "cwd" | "projectDir" | "claude" | "pid" | "isPlain"
>;

/** The cursor of a transcript; for a new transcript, its starting point. */
export function cursorOf(capture: string, where: Location): Cursor {
  const known = knownCursor(capture, where.transcript);
  if (known !== undefined) return known;
  const { transcript, cwd, projectDir, claude, pid, isPlain } = where; // a job has more fields
  const offset = lastPart(transcript, FIRST_BYTES);
  return { transcript, cwd, projectDir, claude, pid, isPlain, offset, turns: [] };
}

/** The folder that Claude Code runs in, from an earlier hook of the session. */
export function projectDirOf(capture: string, transcript: string): string | undefined {
  return knownCursor(capture, transcript)?.projectDir;
}

/** Saves a cursor. */
export function saveCursor(
  capture: string,
  cursor: Cursor,
  options: { readonly durable: boolean } = { durable: true },
): void {
  writeState(fileFor(cursorFolder(capture), cursor.transcript), cursor, options);
}

/** Advances a transcript's cursor, never back. */
export function advance(
  capture: string,
  { offset, turns, ...where }: Location & Pick<Cursor, "offset" | "turns">,
): void {
  const cursor = cursorOf(capture, where);
  saveCursor(capture, {
    ...cursor,
    offset: Math.max(cursor.offset, offset),
    turns: [...new Set([...cursor.turns, ...turns])],
  });
}

/** Notes that a session runs, so that it is captured even if it is killed before its first trigger. */
export function noteSession(capture: string, where: Location): void {
  saveCursor(capture, { ...cursorOf(capture, where), ...where }, { durable: false });
}

/** Notes that a transcript of this size has been captured completely. */
export function noteSeen(capture: string, where: Location, seen: number): void {
  saveCursor(capture, { ...cursorOf(capture, where), seen }, { durable: false });
}

/** Skips everything that a transcript has now, and while nothing may be sent also what comes next. */
export function skipTo(
  capture: string,
  where: Location,
  { mayBeSent = true }: { readonly mayBeSent?: boolean } = {},
): void {
  const size = sizeOf(where.transcript);
  const { isClosed: _, ...cursor } = cursorOf(capture, where);
  const closed = mayBeSent ? {} : { isClosed: true as const };
  saveCursor(capture, { ...cursor, offset: size, seen: size, ...closed }, { durable: false });
}

/** Whether nothing might be sent when memo last heard of a transcript. */
export function isClosed(capture: string, transcript: string): boolean {
  return knownCursor(capture, transcript)?.isClosed === true;
}

/** The turns captured from any transcript of the folder; a fork has them under the same ids. */
export function capturedBeside(capture: string, transcript: string): Set<string> {
  const folder = sessionsFolder(transcript);
  return new Set(
    readCursors(capture).filter((cursor) => sessionsFolder(cursor.transcript) === folder)
      .flatMap(({ turns }) => turns),
  );
}

/** The neighbouring transcripts that have grown since they were read and whose sessions were killed. */
export function leftBehind(capture: string, transcript: string, now: Date): Cursor[] {
  const folder = sessionsFolder(transcript);
  return readCursors(capture)
    .filter((cursor) =>
      sessionsFolder(cursor.transcript) === folder && cursor.transcript !== transcript
    )
    .map((cursor) => ({ cursor, stats: transcriptStats(cursor.transcript) }))
    .filter(({ cursor: { seen = 0, pid, isClosed }, stats }) =>
      !isClosed && stats !== undefined && stats.size > seen &&
      (pid !== undefined && !isAlive(pid) || isQuiet(stats, now))
    )
    .toSorted((a, b) => b.stats!.mtimeMs - a.stats!.mtimeMs)
    .slice(0, MAX_LEFT)
    .map(({ cursor }) => cursor);
}

/** The transcripts of the sessions of one Claude Code process: each /clear begins another. */
export function transcriptsOf(capture: string, pid: number): string[] {
  return readCursors(capture).filter((cursor) => cursor.pid === pid)
    .map(({ transcript }) => transcript);
}

/** Whether a session is running, and so its transcript is still being written. */
export function isRunning(capture: string, transcript: string, now: Date): boolean {
  const { pid } = knownCursor(capture, transcript) ?? {};
  const stats = transcriptStats(transcript);
  return pid !== undefined && isAlive(pid) && stats !== undefined && !isQuiet(stats, now);
}

/** Deletes the cursors of transcripts that were deleted long ago. */
export function sweepCursors(capture: string, now: Date): void {
  for (const path of filesIn(cursorFolder(capture))) {
    const cursor = readCursor(path);
    const touched = statsOf(path)?.mtimeMs ?? now.getTime();
    const isGone = cursor === undefined || transcriptStats(cursor.transcript) === undefined;
    if (isGone && now.getTime() - touched > MAX_AGE_MS) rmSync(path, { force: true });
  }
}

/** A transcript's size in bytes; 0 if it does not exist. */
export function sizeOf(transcript: string): number {
  return transcriptStats(transcript)?.size ?? 0;
}

/** The cursors of all known transcripts. */
export function readCursors(capture: string): Cursor[] {
  return filesIn(cursorFolder(capture)).flatMap((path) => readCursor(path) ?? []);
}

function knownCursor(capture: string, transcript: string): Cursor | undefined {
  return readCursor(fileFor(cursorFolder(capture), transcript));
}

function readCursor(path: string): Cursor | undefined {
  const value = readState(path);
  const { transcript, cwd, claude, offset, turns } = value ?? {};
  const isSound = [transcript, cwd, claude].every((text) => typeof text === "string") &&
    Number.isInteger(offset) && Array.isArray(turns);
  return isSound ? value as unknown as Cursor : undefined;
}

function cursorFolder(capture: string): string {
  return join(capture, "cursors");
}

function isQuiet({ mtimeMs }: { readonly mtimeMs: number }, now: Date): boolean {
  return now.getTime() - mtimeMs > QUIET_MS;
}

/** The state file of a transcript in one of capture's folders: an outside path is not a safe file name, so by its hash. */
export function fileFor(folder: string, transcript: string): string {
  return join(folder, `${shortHash(transcript)}${shortHash(transcript + "/")}.json`);
}

/** The paths of all files in one of capture's folders. */
export function filesIn(folder: string): string[] {
  return namesIn(folder).filter((name) => /^\w+\.json$/.test(name)).map((name) =>
    join(folder, name)
  );
}
