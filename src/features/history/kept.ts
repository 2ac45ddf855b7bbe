// What memo keeps of conversations: one line a turn, without secrets and tool output, in a file a day and a folder a
// project. Claude Code deletes its transcripts after 30 days.

import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { namesIn, parsed, statsOf, textAt } from "../../core/files/there.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { type Paths, shortHash } from "../../paths.ts";
import { localTime } from "../../core/text/counted.ts";

/** A turn as it is kept. */
export interface KeptTurn {
  readonly session: string;
  readonly turn: string;
  /** When it began, ISO 8601. */
  readonly at: string;
  /** Where Claude Code had it. */
  readonly transcript: string;
  readonly prompt: string;
  readonly reply: string;
}

/** The list, a line each, of turns that were forgotten for good; their transcripts may still be there. */
const FORGOTTEN = "forgotten";

/** The folder of the turns that were kept for a project, or for the user outside any. */
export function keptFolder({ history }: Pick<Paths, "history">, { path }: MemoryFolder): string {
  return join(history, `${basename(path)}-${shortHash(path)}`);
}

/** The files of days in a folder by their ending, newest first. */
export function dayFiles(folder: string, ending: ".jsonl" | ".md") {
  return namesIn(folder).flatMap((name) => {
    const day = basename(name, ending), path = join(folder, name), stats = statsOf(path);
    if (name === day || !/^\d{4}-\d\d-\d\d$/.test(day) || !stats?.isFile()) return [];
    return [{ path, day, mtimeMs: stats.mtimeMs, size: stats.size }];
  }).reverse();
}

/** The files of kept turns of a project, newest first. */
export const keptFiles = (folder: string) => dayFiles(folder, ".jsonl");

/** The same of every project. */
const allFiles = (history: string) =>
  namesIn(history).flatMap((name) => keptFiles(join(history, name)));

/** The turns of a file, each once; broken lines are skipped. */
export function readKept(path: string): KeptTurn[] {
  const turns = linesOf(path).flatMap((line) => turnIn(line) ?? []).reverse();
  return [...new Map(turns.map((turn) => [turn.turn, turn])).values()].reverse();
}

/** Adds a turn to the file of its day. */
export function keep(folder: string, turn: KeptTurn): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { day } = localTime(new Date(turn.at));
  appendFileSync(join(folder, `${day}.jsonl`), JSON.stringify(turn) + "\n", { mode: 0o600 });
}

/** The kept turns of sessions whose id begins so, oldest first, from every project. */
export function keptOfSession({ history }: Pick<Paths, "history">, prefix: string): KeptTurn[] {
  return allFiles(history).flatMap(({ path }) => readKept(path))
    .filter(({ session }) => session.startsWith(prefix)).sort((a, b) => a.at < b.at ? -1 : 1);
}

/** Deletes a kept turn everywhere, and keeps it never again; returns whether it was kept. */
export function dropKept({ history }: Pick<Paths, "history">, turn: string): boolean {
  let isFound = false;
  if (namesIn(history).length > 0) {
    appendFileSync(join(history, FORGOTTEN), turn + "\n", { mode: 0o600 });
  }
  for (const { path } of allFiles(history)) {
    const lines = linesOf(path);
    const left = lines.filter((line) => turnIn(line)?.turn !== turn);
    if (left.length === lines.length) continue;
    isFound = true;
    if (left.length === 0) rmSync(path);
    else writeFileAtomic(path, left.map((line) => line + "\n").join(""));
  }
  return isFound;
}

/** The turns that must not be kept. */
export function forgottenTurns(history: string): ReadonlySet<string> {
  return new Set(linesOf(join(history, FORGOTTEN)));
}

/** How long turns are kept. */
export interface KeptFor {
  readonly days: number;
  readonly now: Date;
}

/** Maximum bytes of a project; beyond them the oldest days go. */
const MAX_BYTES = 200_000_000;

/** The first day that is kept. */
export function firstKept({ days, now }: KeptFor): string {
  return localTime(new Date(now.getTime() - days * 86_400_000)).day;
}

/** Deletes the files of a folder that have been kept for long enough; returns how many. */
export function sweepKept(folder: string, options: KeptFor): number {
  const first = firstKept(options);
  let bytes = 0;
  const old = keptFiles(folder).filter(({ day, size }) =>
    (bytes += size) > MAX_BYTES || day < first
  );
  for (const { path } of old) rmSync(path, { force: true });
  return old.length;
}

/** The same for every project, those too that nobody works in any more. */
export function sweepAllKept(history: string, options: KeptFor): number {
  return namesIn(history).reduce((sum, name) => sum + sweepKept(join(history, name), options), 0);
}

/** Moves what was kept for one memory folder to another, whose project it is now. */
export function moveKept(
  paths: Pick<Paths, "history">,
  from: MemoryFolder,
  to: MemoryFolder,
): void {
  const source = keptFolder(paths, from), target = keptFolder(paths, to);
  for (const { path } of keptFiles(source)) {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    appendFileSync(join(target, basename(path)), readFileSync(path), { mode: 0o600 });
  }
  rmSync(source, { recursive: true, force: true });
}

function linesOf(path: string): string[] {
  return (textAt(path) ?? "").split("\n").filter((line) => line !== "");
}

/** The turn in a line; undefined for one that was cut short by a crash. */
function turnIn(line: string): KeptTurn | undefined {
  const turn = (parsed(line) ?? {}) as KeptTurn;
  const isWhole = (["session", "turn", "at", "transcript", "prompt", "reply"] as const)
    .every((key) => typeof turn[key] === "string");
  return isWhole && !Number.isNaN(Date.parse(turn.at)) ? turn : undefined;
}
