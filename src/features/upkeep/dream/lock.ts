// The lock of a folder's dreams. Its time is that of the last run; in it is the process that dreams now, if any.

import { mkdirSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../../../core/files/atomic.ts";
import { isAlive, takeLock } from "../../../core/files/lock.ts";
import { statsOf } from "../../../core/files/stats.ts";
import { textAt } from "../../../core/files/there.ts";
import { lockOf } from "../../../paths.ts";

/** A holder for longer than this hangs, or its process id belongs to another program. */
const TAKEN_OVER_MS = 3_600_000;
/** The lock itself is looked at and written in a millisecond. */
const GUARD_FRESH_MS = 10_000;

/** When the last dream of a folder began, in milliseconds since 1970; 0: never. */
export function lastDream(path: string): number {
  return statsOf(path)?.mtimeMs ?? 0;
}

/** Takes the lock; undefined if another process is dreaming. One held for an hour, or by a dead process, is taken over. */
export function takeDreamLock(path: string, now: Date): {
  /** Gives it back: after a run its time is that of the run, else that of the run before. */
  release(isDone: boolean): void;
} | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unguard = takeLock(lockOf(path), GUARD_FRESH_MS);
  if (unguard === undefined) return undefined;
  try {
    const before = lastDream(path);
    const holder = holderOf(path);
    const age = Math.abs(now.getTime() - before); // the clock may have been set back
    if (holder !== undefined && isAlive(holder) && age <= TAKEN_OVER_MS) return undefined;
    write(path, `${process.pid}\n`, now.getTime());
    return { release: (isDone) => write(path, "", isDone ? now.getTime() : before) };
  } finally {
    unguard();
  }
}

function holderOf(path: string): number | undefined {
  const pid = Number(textAt(path) ?? "");
  return pid > 1 ? pid : undefined;
}

function write(path: string, text: string, mtimeMs: number): void {
  writeFileAtomic(path, text, { durable: false });
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}
