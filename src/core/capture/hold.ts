// One process captures at a time, the daemon or `memo import conversations`: capture keeps a single plan, and two readers of a turn
// would pay for it twice.

import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { takeLock, whenFree } from "../files/lock.ts";

/** The holder touches the lock once a minute: an LLM call takes long, and process ids are reused. */
const BEAT_MS = 60_000;
const FRESH_MS = 10 * BEAT_MS;
const POLL_MS = 100;

/** Keeps other processes from capturing and returns the release; undefined if another one is capturing. */
export function holdCapture(capture: string): (() => void) | undefined {
  mkdirSync(capture, { recursive: true, mode: 0o700 });
  const path = join(capture, "lock");
  const release = takeLock(path, FRESH_MS);
  if (release === undefined) return undefined;
  const beat = setInterval(() => touch(path), BEAT_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    release();
  };
}

/** The same, after the other process is done. Rejects with a `timeout` MemoError after `ms`. */
export async function holdCaptureSoon(capture: string, ms: number): Promise<() => void> {
  const options = { waitMs: ms, pollMs: POLL_MS };
  const release = await whenFree(() => holdCapture(capture), options);
  if (release !== undefined) return release;
  throw new MemoError("timeout", "Cannot capture: another memo process is still capturing", {
    hint: "Run `memo daemon logs` to see its progress, and try again later",
  });
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // another process has removed it
  }
}
