// A daemon that is killed, or runs out of memory, leaves its pid file. The next one counts that and logs it; after
// several in a row the next start is delayed, longer each time, so that prompts do not keep exhausting the memory.

import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { Log } from "../files/log.ts";
import { statsOf } from "../files/stats.ts";
import type { Paths } from "../../paths.ts";
import { isDaemon } from "./is_daemon.ts";

/** Fewer crashes in a row may be accidental; from this many on, the next start is delayed. */
const TOLERATED = 3;
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 600_000;
/** A daemon that has served for this long did not die of the cause of the crashes before it. */
const SOUND_MS = 600_000;

export interface CrashOptions {
  readonly log: Log;
  readonly now: Date;
}

/** Records whether the previous daemon crashed; call it before the pid file is rewritten. */
export function noteCrash(paths: Paths, { log, now }: CrashOptions): void {
  const died = readFileOf(paths.pid);
  if (died === undefined || isDaemon(Number(died.text))) return;
  const wasSound = now.getTime() - died.mtimeMs > SOUND_MS;
  const times = wasSound ? 1 : (Number(readFileOf(paths.crashes)?.text) || 0) + 1;
  writeFileSync(paths.crashes, `${times}\n`, { mode: 0o600 });
  const restMs = restAfter(times);
  // The file's mtime is the time of the next allowed start: clients read it with one call.
  const until = new Date(now.getTime() + restMs);
  utimesSync(paths.crashes, until, until);
  log("daemon", {
    found: "the previous daemon was killed, or ran out of memory",
    previous: Number(died.text),
    times,
    ...(restMs === 0 ? {} : { nextNotBefore: until.toISOString() }),
  });
}

/** Delay between a daemon's start and the next one, should it crash as well. */
export function restAfter(times: number): number {
  if (times < TOLERATED) return 0;
  return Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(times - TOLERATED, 10));
}

/** The deaths in a row after which the next start is put off, and until when; undefined if it is not. */
export function restOf(paths: Paths, now: Date): { times: number; until: Date } | undefined {
  const crashes = readFileOf(paths.crashes);
  if (crashes === undefined || crashes.mtimeMs <= now.getTime()) return undefined;
  if (crashes.mtimeMs > now.getTime() + LONGEST_REST_MS) return undefined; // the clock was set back
  return { times: Number(crashes.text) || 0, until: new Date(crashes.mtimeMs) };
}

/** Records that a daemon has ended normally. */
export function forgetCrashes(paths: Paths): void {
  rmSync(paths.crashes, { force: true });
}

function readFileOf(path: string): { readonly text: string; readonly mtimeMs: number } | undefined {
  const stats = statsOf(path);
  try {
    return stats && { text: readFileSync(path, "utf8"), mtimeMs: stats.mtimeMs };
  } catch {
    return undefined;
  }
}
