import { adoptJobs, readJobs } from "../capture/queue.ts";
import type { Engine } from "../engine/engine.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../files/log.ts";
import { PULSE_MS } from "../link/socket.ts";
import type { CaptureWorker } from "./capture_worker.ts";
import type { Page } from "./page.ts";
import type { Requests } from "./requests.ts";
import type { Rest } from "./rest.ts";
import type { Sessions } from "./sessions.ts";
import { sweep } from "./sweep.ts";

/** A daemon that holds too much is replaced when it has served this long: the prompt that finds none waits longer. */
const REPLACE_MS = 3_600_000;

/** Interval of the sweeps. */
const SWEEP_MS = 86_400_000;

/** A daemon at rest for this long falls asleep, sooner where it would have ended before. */
const SLEEP_MS = 600_000;
/** The part of the time to its end after which it does. */
const SLEEP_PART = 1 / 3;

export interface WatchOptions {
  readonly engine: Engine;
  readonly sessions: Sessions;
  readonly capture: CaptureWorker;
  readonly requests: Requests;
  readonly rest: Rest;
  readonly page: Page;
  readonly log: Log;
  readonly startedAt: number;
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
    stop("it holds too much memory; a fresh one takes its place", { isReplaced: true });
  }
  return rested !== undefined;
}
