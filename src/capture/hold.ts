// One process captures at a time: the daemon, or `memo extract`. What is kept in capture's folder is one plan, and a
// turn that two have read is asked about twice.

import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MemoError } from "../errors.ts";
import { takeLock } from "../files/lock.ts";

/** Whoever holds capture says so once a minute: a question to a language model takes long, and process ids are used again. */
const BEAT_MS = 60_000;
const FRESH_MS = 10 * BEAT_MS;
const POLL_MS = 100;

/** Keeps other processes from capturing, and returns what ends that; undefined when another one captures. */
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

/** The same, once the other process is done. Rejects with a `timeout` MemoError when that takes longer than `ms`. */
export async function holdCaptureSoon(capture: string, ms: number): Promise<() => void> {
  for (let waited = 0; waited < ms; waited += POLL_MS) {
    const release = holdCapture(capture);
    if (release !== undefined) return release;
    await sleep(POLL_MS);
  }
  throw new MemoError("timeout", "Cannot capture: another memo process is still capturing", {
    hint: "Run `memo daemon logs` to see its progress, and try again later",
  });
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // somebody has removed it
  }
}
