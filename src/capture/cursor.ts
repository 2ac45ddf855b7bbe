// How far each transcript has been captured. A cursor is written with what it stands for, so a turn is captured once.

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isAlive } from "../files/lock.ts";
import { statsOf } from "../files/stats.ts";
import { fileFor, filesIn, readState, writeState } from "./state_file.ts";

export interface Cursor {
  readonly transcript: string;
  readonly cwd: string;
  /** The folder that Claude Code runs in, where the hook could tell. */
  readonly projectDir?: string | undefined;
  /** Claude Code's configuration folder. */
  readonly claude: string;
  /** The end of the last turn that was captured, in bytes. */
  readonly offset: number;
  /** The turns that were captured. */
  readonly turns: readonly string[];
  /** The transcript's size when nothing in it was left to capture. */
  readonly seen?: number;
  /** The process of Claude Code that last wrote to it. */
  readonly pid?: number | undefined;
  /** The session had no login and no settings of its own: without it nothing is missing. */
  readonly isPlain?: boolean | undefined;
}

/** A transcript that memo has not seen from its beginning is captured from here on: a tenth of it is conversation. */
const FIRST_BYTES = 1024 * 1024;
/** A session into which nothing was written for as long is over, even where its process seems to run: ids are used again. */
const QUIET_MS = 86_400_000;
/** As many sessions that were killed are taken up at once; the newest. */
const MAX_LEFT = 20;
/** Cursors of transcripts that are gone are kept as long: forks of theirs may be there. */
const MAX_AGE_MS = 90 * 86_400_000;

/** Where a transcript is, as the hooks tell it. */
export type Whereabouts = Pick<
  Cursor,
  "transcript" | "cwd" | "projectDir" | "claude" | "pid" | "isPlain"
>;

/** The cursor of a transcript; of one that has none yet, where it begins. */
export function cursorOf(capture: string, where: Whereabouts): Cursor {
  const known = readCursor(fileFor(cursorFolder(capture), where.transcript));
  if (known?.transcript === where.transcript) return known;
  const { transcript, cwd, projectDir, claude, pid, isPlain } = where; // a job has more
  const offset = Math.max(0, sizeOf(transcript) - FIRST_BYTES);
  return { transcript, cwd, projectDir, claude, pid, isPlain, offset, turns: [] };
}

/** The folder that Claude Code runs in, as an earlier hook of the session has told. */
export function projectDirOf(capture: string, transcript: string): string | undefined {
  const known = readCursor(fileFor(cursorFolder(capture), transcript));
  return known?.transcript === transcript ? known.projectDir : undefined;
}

/** Keeps a cursor. */
export function saveCursor(
  capture: string,
  cursor: Cursor,
  options: { readonly durable: boolean } = { durable: true },
): void {
  writeState(fileFor(cursorFolder(capture), cursor.transcript), cursor, options);
}

/** Moves a transcript's cursor on, never back. */
export function advance(
  capture: string,
  { offset, turns, ...where }: Whereabouts & Pick<Cursor, "offset" | "turns">,
): void {
  const cursor = cursorOf(capture, where);
  saveCursor(capture, {
    ...cursor,
    offset: Math.max(cursor.offset, offset),
    turns: [...new Set([...cursor.turns, ...turns])],
  });
}

/** Notes that a session runs, so that it can be taken up when it is killed before it has said a word to memo. */
export function noteSession(capture: string, where: Whereabouts): void {
  saveCursor(capture, { ...cursorOf(capture, where), ...where }, { durable: false });
}

/** Notes that a transcript of this size has nothing left to capture. */
export function noteSeen(capture: string, where: Whereabouts, seen: number): void {
  saveCursor(capture, { ...cursorOf(capture, where), seen }, { durable: false });
}

/** Passes over all that a transcript has now. */
export function skipTo(capture: string, where: Whereabouts): void {
  const size = sizeOf(where.transcript);
  saveCursor(capture, { ...cursorOf(capture, where), offset: size, seen: size }, {
    durable: false,
  });
}

/** The turns that were captured from any transcript of the folder: a fork has them under the same ids. */
export function capturedBeside(capture: string, transcript: string): Set<string> {
  const folder = dirname(transcript);
  return new Set(
    readCursors(capture).filter((cursor) => dirname(cursor.transcript) === folder)
      .flatMap(({ turns }) => turns),
  );
}

/** The transcripts beside this one that have grown since they were read, and whose sessions were killed. */
export function leftBehind(capture: string, transcript: string, now: Date): Cursor[] {
  return readCursors(capture)
    .filter((cursor) =>
      dirname(cursor.transcript) === dirname(transcript) && cursor.transcript !== transcript
    )
    .map((cursor) => ({ cursor, stats: statsOf(cursor.transcript) }))
    .filter(({ cursor: { seen = 0, pid }, stats }) =>
      stats !== undefined && stats.size > seen &&
      (pid !== undefined && !isAlive(pid) || isQuiet(stats, now))
    )
    .toSorted((a, b) => b.stats!.mtimeMs - a.stats!.mtimeMs)
    .slice(0, MAX_LEFT)
    .map(({ cursor }) => cursor);
}

/** The transcripts of the sessions that one process of Claude Code has had: each /clear begins another. */
export function transcriptsOf(capture: string, pid: number): string[] {
  return readCursors(capture).filter((cursor) => cursor.pid === pid)
    .map(({ transcript }) => transcript);
}

/** Whether a session is known to be running: its transcript is still being written. */
export function isRunning(capture: string, transcript: string, now: Date): boolean {
  const { pid } = readCursor(fileFor(cursorFolder(capture), transcript)) ?? {};
  const stats = statsOf(transcript);
  return pid !== undefined && isAlive(pid) && stats !== undefined && !isQuiet(stats, now);
}

/** Forgets transcripts that have long been gone. */
export function sweepCursors(capture: string, now: Date): void {
  for (const path of filesIn(cursorFolder(capture))) {
    const cursor = readCursor(path);
    const touched = statsOf(path)?.mtimeMs ?? now.getTime();
    const isGone = cursor === undefined || statsOf(cursor.transcript) === undefined;
    if (isGone && now.getTime() - touched > MAX_AGE_MS) rmSync(path, { force: true });
  }
}

/** A transcript's size in bytes; 0 when there is none. */
export function sizeOf(transcript: string): number {
  return statsOf(transcript)?.size ?? 0;
}

/** The cursors of all transcripts that are known. */
export function readCursors(capture: string): Cursor[] {
  return filesIn(cursorFolder(capture)).flatMap((path) => readCursor(path) ?? []);
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
