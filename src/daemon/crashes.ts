// A daemon that is killed, or dies of memory, leaves its pid file. The next one counts that and says so in the log; after
// some in a row the next is put off, longer each time, so that a machine without memory is not asked for it at each prompt.

import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { Log } from "../files/log.ts";
import { statsOf } from "../files/stats.ts";
import type { Paths } from "../paths.ts";
import { isDaemon } from "./is_daemon.ts";

/** This many in a row are an accident; the next one is put off. */
const TOLERATED = 3;
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 600_000;
/** A daemon that has served for as long did not die of what killed those before it. */
const SOUND_MS = 600_000;

export interface CrashOptions {
  readonly log: Log;
  readonly now: Date;
}

/** Notes whether the daemon before this one died without a word. Call it before the pid file is written anew. */
export function noteCrash(paths: Paths, { log, now }: CrashOptions): void {
  const died = readFileOf(paths.pid);
  if (died === undefined || isDaemon(Number(died.text))) return;
  const wasSound = now.getTime() - died.mtimeMs > SOUND_MS;
  const times = wasSound ? 1 : (Number(readFileOf(paths.crashes)?.text) || 0) + 1;
  writeFileSync(paths.crashes, `${times}\n`, { mode: 0o600 });
  const restMs = restAfter(times);
  // The file's time is when another may be started: clients look at it with one call.
  const until = new Date(now.getTime() + restMs);
  utimesSync(paths.crashes, until, until);
  log("daemon", {
    found: "the one before was killed, or died of memory",
    previous: Number(died.text),
    times,
    ...(restMs === 0 ? {} : { nextNotBefore: until.toISOString() }),
  });
}

/** How long after a daemon's start another may not be started, should it die as well. */
export function restAfter(times: number): number {
  if (times < TOLERATED) return 0;
  return Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(times - TOLERATED, 10));
}

/** A daemon has ended as it should. */
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
