import { adoptJobs, readJobs } from "../capture/queue.ts";
import type { Engine } from "../engine/engine.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../files/log.ts";
import { PULSE_MS } from "../link/socket.ts";
import type { MethodContext } from "./methods.ts";
import type { Requests } from "./requests.ts";
import type { Rest } from "./rest.ts";
import { dirname } from "node:path";
import { sweepTemporaries } from "../files/atomic.ts";
import { statsOf } from "../files/there.ts";
import type { Index } from "../index/mod.ts";

/** A daemon that holds too much is replaced when it has served this long: the prompt that finds none waits longer. */
const REPLACE_MS = 3_600_000;

const SWEEP_MS = 86_400_000;

/** A daemon at rest for this long falls asleep, sooner where it would have ended before. */
const SLEEP_MS = 600_000;
/** The part of the time to its end after which it does. */
const SLEEP_PART = 1 / 3;

interface WatchOptions
  extends Pick<MethodContext, "engine" | "sessions" | "capture" | "page" | "log" | "startedAt"> {
  readonly requests: Requests;
  readonly rest: Rest;
  /** Called at each look. */
  onLook(): void;
  /** Ends the daemon; `isReplaced` starts a fresh one in its place. */
  stop(why: string, options?: { readonly isReplaced: boolean }): void;
}

/** Looks at intervals whether the daemon is still needed and what is left to do; returns how to end that. */
export function watch(options: WatchOptions): () => void {
  let sweptAt = 0;
  const timer = setInterval(() => {
    const isAtRest = look(options);
    if (isAtRest && Date.now() - sweptAt > SWEEP_MS) {
      sweptAt = Date.now();
      const { engine, log } = options;
      sweep(engine, { log, now: new Date() })
        .catch((error) => log("sweep", { failed: messageOf(error) }));
    }
    options.onLook();
  }, PULSE_MS);
  return () => clearInterval(timer);
}

/** Whether the daemon has just come to rest. */
function look(
  { engine, sessions, capture, requests, rest, page, startedAt, stop }: WatchOptions,
): boolean {
  const { paths } = engine, { isBusy, quietMs } = requests;
  const idleMs = engine.config()["daemon.idle_minutes"] * 60_000;
  const sleepMs = Math.min(SLEEP_MS, SLEEP_PART * idleMs);
  const isIdle = quietMs > idleMs && !sessions.isAnyOpen() && !page.isOpen;
  const isCapturing = capture.isBusy(); // before it is woken, which begins a round even where there is nothing to do
  if (!isBusy && !isCapturing && isIdle) stop("idle");
  const jobs = readJobs(paths.capture);
  const waiting = new Set(jobs.map(({ transcript }) => transcript));
  sessions.sweep((transcript) => transcript !== undefined && waiting.has(transcript));
  adoptJobs(paths.spareCapture, paths.capture);
  capture.wake(); // hooks without a daemon have left work, and failed jobs are due again
  const isWorking = isBusy || isCapturing || engine.isEmbedding;
  const rested = rest.look({ isWorking, quietMs, sleepMs });
  const holdsNoLogin = jobs.every((job) => job.isPlain);
  const mayGo = holdsNoLogin && !page.isOpen;
  if (rested?.isBloated && Date.now() - startedAt > REPLACE_MS && mayGo) {
    stop("it uses too much memory; a new daemon replaces it", { isReplaced: true });
  }
  return rested !== undefined;
}

// Removes in the background what killed processes and deleted projects leave behind.
/** After this long, a missing folder is not just on an unmounted disk, and its memories are forgotten. */
const MISSING_MS = 7 * 86_400_000;

/** Deletes abandoned temporary files, index entries of folders that have long been gone, and what features sweep. */
export async function sweep(
  engine: Engine,
  { log, now }: { readonly log: Log; readonly now: Date },
): Promise<void> {
  const index = await engine.index();
  const folders = await index.files.folders();
  const { state, config } = engine.paths;
  const places = new Set([state, dirname(config), ...folders.map(({ path }) => path)]);
  const temporaries = [...places].reduce((sum, path) => sum + sweepTemporaries(path, now), 0);
  const forgotten = await forgetMissing(index, now.getTime());
  const swept = Object.entries(engine.features.sweeps ?? {})
    .map(([what, sweep]) => [what, sweep(engine, now)] as const);
  const done = { temporaries, forgotten, ...Object.fromEntries(swept) };
  if (Object.values(done).some((count) => count > 0)) log("sweep", done);
}

async function forgetMissing(index: Index, now: number): Promise<number> {
  const noted = await index.files.missing();
  const missing = (await index.files.folders()).filter(({ path }) => statsOf(path) === undefined);
  const since = new Map(missing.map(({ path }) => [path, noted.get(path) ?? now]));
  const gone = missing.filter(({ path }) => now - since.get(path)! > MISSING_MS);
  for (const { path } of gone) since.delete(path);
  if (since.size + noted.size > 0) await index.files.noteMissing(since);
  return gone.length === 0 ? 0 : await index.forget(gone);
}
