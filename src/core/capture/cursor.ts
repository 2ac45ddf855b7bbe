// How far each transcript has been captured. A cursor is written together with the result it stands for, so each turn
// is captured once.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../files/lock.ts";
import { namesIn, statsOf } from "../files/there.ts";
import { isChat } from "../memory/memory.ts";
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
  readonly turns: readonly string[];
  /** The transcript's size when everything in it had been captured. */
  readonly seen?: number | undefined;
  /** The Claude Code process that last wrote to it. */
  readonly pid?: number | undefined;
  /** Whether the session had no login and no settings of its own, so it can be captured without its environment. */
  readonly isPlain?: boolean | undefined;
  /** Whether nothing might be sent when memo last heard of it: what has been added since is not captured either. */
  readonly isClosed?: true | undefined;
}

/** A transcript that memo first sees midway is captured from this far before its end; a tenth of it is conversation. */
const FIRST_BYTES = 1024 * 1024;
/** A session silent for this long is over, even if its process seems to run: process ids are reused. */
const QUIET_MS = 86_400_000;
/** Maximum killed sessions to resume at once, newest first. */
const MAX_LEFT = 20;
/** How long to keep the cursor of a deleted transcript, which may still have forks. */
const MAX_AGE_MS = 90 * 86_400_000;
/** How long to know what was captured of a chat, whose export may be imported again. */
const MAX_CHAT_AGE_MS = 2 * 365 * 86_400_000;

/** The location of a transcript, as the hooks report it. */
export type Location = Pick<
  Cursor,
  "transcript" | "cwd" | "projectDir" | "claude" | "pid" | "isPlain"
>;

/** Capture's state of one kind: a file for each transcript, by a hash, since an outside path is not a safe file name. */
export function fileByTranscript<T extends { readonly transcript: string }>(
  kind: string,
  isSound: (value: Readonly<Record<string, unknown>>) => boolean,
) {
  const read = (path: string): T | undefined => {
    const value = readState(path);
    const isText = ["transcript", "cwd", "claude"].every((key) => typeof value?.[key] === "string");
    return isText && isSound(value!) ? value as unknown as T : undefined;
  };
  const pathsIn = (capture: string) =>
    namesIn(join(capture, kind)).filter((name) => /^\w+\.json$/.test(name))
      .map((name) => join(capture, kind, name));
  const pathOf = (capture: string, transcript: string) =>
    join(capture, kind, `${shortHash(transcript)}${shortHash(transcript + "/")}.json`);
  return {
    pathsIn,
    read,
    all: (capture: string): T[] => pathsIn(capture).flatMap((path) => read(path) ?? []),
    find: (capture: string, transcript: string) => read(pathOf(capture, transcript)),
    save: (capture: string, value: T, options?: { readonly durable: boolean }) =>
      writeState(pathOf(capture, value.transcript), value, options),
    remove: (capture: string, { transcript }: T) =>
      rmSync(pathOf(capture, transcript), { force: true }),
  };
}

const isCursor = ({ offset, turns }: Readonly<Record<string, unknown>>) =>
  Number.isInteger(offset) && Array.isArray(turns);
const CURSORS = fileByTranscript<Cursor>("cursors", isCursor);
/** Of chats there may be thousands, so no session lists them. */
const CHATS = fileByTranscript<Cursor>("chats", isCursor);

const fileOf = (transcript: string) => isChat(transcript) ? CHATS : CURSORS;

/** The cursors of all transcripts but chats. */
export const { all: readCursors } = CURSORS;

/** The cursor of a transcript; undefined for one that is new. */
export function knownCursor(capture: string, transcript: string): Cursor | undefined {
  return fileOf(transcript).find(capture, transcript);
}

/** The cursor of a transcript; for a new transcript, its starting point. */
export function cursorOf(capture: string, where: Location): Cursor {
  const { transcript, cwd, projectDir, claude, pid, isPlain } = where; // a job has more fields
  return knownCursor(capture, transcript) ?? {
    ...{ transcript, cwd, projectDir, claude, pid, isPlain },
    ...{ offset: lastPart(transcript, FIRST_BYTES), turns: [] },
  };
}

/** Saves a cursor. */
export function saveCursor(capture: string, cursor: Cursor, durable = true): void {
  fileOf(cursor.transcript).save(capture, cursor, { durable });
}

/** Advances a transcript's cursor, never back; `seen` is the size of one that has been captured completely. */
export function advance(
  capture: string,
  { offset, turns, seen, ...where }: Location & Pick<Cursor, "offset" | "turns" | "seen">,
): void {
  const cursor = cursorOf(capture, where);
  saveCursor(capture, {
    ...cursor,
    offset: Math.max(cursor.offset, offset),
    turns: [...new Set([...cursor.turns, ...turns])],
    seen: seen ?? cursor.seen,
  });
}

/** Notes that a session runs, so that it is captured even if it is killed before its first trigger. */
export function noteSession(capture: string, where: Location): void {
  saveCursor(capture, { ...cursorOf(capture, where), ...where }, false);
}

/** Skips everything that a transcript has now, and while nothing may be sent also what comes next. */
export function skipTo(
  capture: string,
  where: Location,
  { mayBeSent = true }: { readonly mayBeSent?: boolean } = {},
): void {
  const offset = sizeOf(where.transcript), isClosed = mayBeSent ? undefined : true;
  saveCursor(capture, { ...cursorOf(capture, where), offset, seen: offset, isClosed }, false);
}

/** The turns captured from any transcript of the folder; a fork has them under the same ids. */
export function capturedBeside(capture: string, transcript: string): Set<string> {
  if (isChat(transcript)) return new Set(knownCursor(capture, transcript)?.turns);
  return new Set(cursorsBeside(capture, transcript).flatMap(({ turns }) => turns));
}

function cursorsBeside(capture: string, transcript: string): Cursor[] {
  const folder = sessionsFolder(transcript);
  return readCursors(capture).filter((each) => sessionsFolder(each.transcript) === folder);
}

/** The neighbouring transcripts that have grown since they were read and whose sessions were killed. */
export function leftBehind(capture: string, transcript: string, now: Date): Cursor[] {
  return cursorsBeside(capture, transcript).filter((cursor) => cursor.transcript !== transcript)
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
  for (const path of CURSORS.pathsIn(capture)) {
    const cursor = CURSORS.read(path);
    const touched = statsOf(path)?.mtimeMs ?? now.getTime();
    const isGone = cursor === undefined || transcriptStats(cursor.transcript) === undefined;
    if (isGone && now.getTime() - touched > MAX_AGE_MS) rmSync(path, { force: true });
  }
}

/** Deletes the cursors of chats that were imported long ago; returns how many. */
export function sweepChats(capture: string, now: Date): number {
  const old = CHATS.pathsIn(capture).filter((path) =>
    now.getTime() - (statsOf(path)?.mtimeMs ?? now.getTime()) > MAX_CHAT_AGE_MS
  );
  for (const path of old) rmSync(path, { force: true });
  return old.length;
}

/** A transcript's size in bytes; 0 if it does not exist. */
export function sizeOf(transcript: string): number {
  return transcriptStats(transcript)?.size ?? 0;
}

function isQuiet({ mtimeMs }: { readonly mtimeMs: number }, now: Date): boolean {
  return now.getTime() - mtimeMs > QUIET_MS;
}
