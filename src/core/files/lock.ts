import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../errors.ts";

/**
 * Takes a lock between processes: an exclusive file with our process id in it. One whose owner has died, or that is
 * older than `freshMs`, is taken over. Returns its release; undefined if another process holds it.
 */
export function takeLock(path: string, freshMs: number): (() => void) | undefined {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = openSync(path, "wx", 0o600);
      sign(file, path);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (!isAbandoned(path, freshMs)) return undefined;
      takeAway(path, freshMs);
    }
  }
  return undefined;
}

/** Writes our process id into a lock just made; on a full disk the lock goes again, because nobody could tell whose it is. */
function sign(file: number, path: string): void {
  try {
    writeSync(file, `${process.pid}\n`);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Interval at which a held lock is tried again. */
const POLL_MS = 10;

/** Takes a lock as soon as it is free; undefined if another process still holds it after `waitMs`. */
export async function waitForLock(
  path: string,
  { freshMs, waitMs }: { readonly freshMs: number; readonly waitMs: number },
): Promise<(() => void) | undefined> {
  return await whenFree(() => takeLock(path, freshMs), { waitMs, pollMs: POLL_MS });
}

/** Tries to take something until that succeeds; undefined if it has not after `waitMs`. */
export async function whenFree<T>(
  take: () => T | undefined,
  { waitMs, pollMs }: { readonly waitMs: number; readonly pollMs: number },
): Promise<T | undefined> {
  for (let waited = 0;; waited += pollMs) {
    const taken = take();
    if (taken !== undefined || waited >= waitMs) return taken;
    await sleep(pollMs);
  }
}

/** Whether a process with this id is running, under any user. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

function isAbandoned(lock: string, freshMs: number): boolean {
  try {
    const age = Date.now() - statSync(lock).mtimeMs;
    if (Math.abs(age) > freshMs) return true; // the clock may have been set back
    const owner = Number(readFileSync(lock, "utf8"));
    return owner > 1 && !isAlive(owner);
  } catch {
    return true; // given up this moment
  }
}

/** Removes an abandoned lock; one that another process has taken over meanwhile is put back. */
function takeAway(lock: string, freshMs: number): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (!isAbandoned(aside, freshMs)) linkSync(aside, lock);
  } catch {
    // it is gone, or a third process has taken it
  }
  rmSync(aside, { force: true });
}
