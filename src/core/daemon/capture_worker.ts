// Captures the queue, one conversation at a time. Each login has its own back-off, which is in the queue's files: when
// one fails, its conversations wait and the others go on.

import { sizeOf, skipTo } from "../capture/cursor.ts";
import { capture, complete, hasKept, type Pipeline } from "../capture/work.ts";
import {
  acquitLogin,
  type CaptureJob,
  dropExcess,
  finish,
  holdCapture,
  isDue,
  putOff,
  putOffLogin,
  readJobs,
  restingLogins,
  tryNow,
  waitAfter,
} from "../capture/queue.ts";
import { MemoError, messageOf } from "../../errors.ts";
import type { CaptureNews } from "../events/event.ts";
import { LoginRefused, UnusableAnswer } from "../llm/mod.ts";
import type { Log } from "../files/log.ts";
import type { OffSource } from "../files/off.ts";
import type { Env } from "../../paths.ts";

export interface CaptureOptions {
  /** Capture's folder. */
  readonly folder: string;
  /** Says in which folders memo is off. */
  readonly off: OffSource;
  readonly pipeline: Pipeline;
  readonly log: Log;
  /** The environment for LLM calls about a conversation; undefined while it waits for a session of its project. */
  envFor(job: CaptureJob): Env | undefined;
  /** The digest of the login that such an environment holds at a conversation's place. */
  loginOf(job: CaptureJob, env: Env): string;
  /** Whether conversations at a place are captured. */
  isEnabled(job: CaptureJob, env: Env): boolean;
  /** Called when all of a conversation has been captured, with the environment of its LLM calls. */
  afterCapture(job: CaptureJob, env: Env, signal: AbortSignal): Promise<void>;
  /** Resolves when no prompt is being answered. */
  yieldToPrompts(): Promise<void>;
  now(): Date;
}

interface Ready {
  readonly job: CaptureJob;
  readonly env: Env;
  readonly login: string;
}

/** Captures the queue, one transcript at a time, after prompts; its state is in files, so the process may end any time. */
export class CaptureWorker {
  readonly #options: CaptureOptions;
  readonly #stop = new AbortController();
  readonly #said = new Map<string, string>();
  #round: Promise<void> | undefined;
  #again = false;
  /** Consecutive failures that concern every conversation, such as a full disk, and the time of the next try. */
  #failures = 0;
  #restsUntil = 0;

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  /** Starts to work unless it is working already. */
  wake({ said, isFresh = false }: CaptureNews = {}): void {
    if (said !== undefined) this.#said.set(said.transcript, said.text);
    if (isFresh) {
      this.#restsUntil = 0;
      tryNow(this.#options.folder);
    }
    if (this.#stop.signal.aborted) return;
    this.#again = this.#round !== undefined;
    this.#round ??= this.#work().catch((error) => this.#failed(error)).finally(() => {
      this.#round = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Whether there is work to do now; work that waits for a retry does not keep a daemon alive. */
  isBusy(): boolean {
    return this.#round !== undefined || (!this.#rests() && this.#ready().length > 0);
  }

  /** Stops at the next step, waiting at most `ms` for it; the next daemon does the rest. */
  async close(ms: number): Promise<void> {
    this.#stop.abort();
    await Promise.race([this.#round, new Promise((resolve) => setTimeout(resolve, ms).unref())]);
  }

  async #work(): Promise<void> {
    const { folder, log, now } = this.#options;
    for (const { transcript, failure } of dropExcess(folder, now())) {
      log("capture", { transcript, gaveUp: failure?.message ?? "it was queued for too long" });
      this.#said.delete(transcript);
    }
    while (!this.#rests() && (hasKept(folder) || this.#ready().length > 0)) {
      this.#stop.signal.throwIfAborted();
      const release = holdCapture(folder);
      if (release === undefined) return; // `memo import conversations` is running; the next tick looks again
      try {
        await complete(this.#workOptions());
        this.#failures = 0;
        const [ready] = this.#ready();
        if (ready !== undefined) await this.#attempt(ready);
      } finally {
        release();
      }
    }
  }

  async #attempt({ job, env, login }: Ready): Promise<void> {
    const { folder, log } = this.#options;
    const started = performance.now();
    try {
      let isDone = true;
      if (this.#options.isEnabled(job, env)) {
        const { plan, ...pipeline } = this.#options.pipeline;
        let isServed = false;
        const noting: Pipeline = {
          ...pipeline,
          plan: async (turns, where) => {
            const planned = await plan(turns, where);
            isServed = true;
            return planned;
          },
        };
        isDone = await capture(job, { ...this.#workOptions(), pipeline: noting });
        if (isServed) acquitLogin(folder, login);
      } else {
        skipTo(folder, job, { mayBeSent: false });
        finish(folder, job);
      }
      if (isDone) this.#said.delete(job.transcript);
      if (isDone) await this.#options.afterCapture(job, env, this.#stop.signal);
      const ms = Math.round(performance.now() - started);
      const bytes = sizeOf(job.transcript);
      log("capture", { transcript: job.transcript, bytes, ms, ...(isDone ? {} : { waits: true }) });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      log("capture", { transcript: job.transcript, failed: messageOf(error) });
      this.#putOff({ job, env, login }, error);
    }
  }

  /** Postpones a job that failed, and if the language model could not be asked, all jobs with its login. */
  #putOff({ job, login }: Ready, error: unknown): void {
    const { folder, now } = this.#options;
    const hint = error instanceof MemoError ? error.hint : undefined;
    const isRefusal = error instanceof LoginRefused;
    const failure = { message: messageOf(error), hint, isRefusal };
    const isUnasked = error instanceof MemoError && ["llm", "timeout"].includes(error.kind) &&
      !(error instanceof UnusableAnswer);
    // With a failure but without its login it is under suspicion itself: the login has served another one since.
    const isSuspect = job.failure !== undefined && job.failure.login === undefined;
    if (!isUnasked || isSuspect) return putOff(folder, job, failure, now());
    const jobs = this.#withLogins(readJobs(folder)).filter((other) => other.login === login)
      .map(({ job }) => job);
    putOffLogin(folder, { login, jobs, tried: job }, failure, now());
  }

  /** Backs off after a failure: the same work is retried later, and no other work before it. */
  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const { log, now } = this.#options;
    log("capture", { failed: messageOf(error) });
    this.#restsUntil = now().getTime() + waitAfter(++this.#failures);
  }

  /** The jobs to try now. One that has failed comes after the others, so that a server that hangs delays none of them. */
  #ready(): Ready[] {
    const now = this.#options.now();
    const jobs = readJobs(this.#options.folder);
    const resting = restingLogins(jobs, now);
    return this.#withLogins(jobs.filter((job) => isDue(job, now)))
      .filter(({ login }) => !resting.has(login))
      .toSorted((a, b) => orderOf(a) - orderOf(b));
  }

  #withLogins(jobs: readonly CaptureJob[]): Ready[] {
    const { envFor, loginOf } = this.#options;
    return jobs.flatMap((job) => {
      const env = envFor(job);
      return env === undefined ? [] : [{ job, env, login: loginOf(job, env) }];
    });
  }

  #rests(): boolean {
    return this.#options.now().getTime() < this.#restsUntil;
  }

  #workOptions() {
    const { folder, off, pipeline, log, yieldToPrompts, now } = this.#options;
    return {
      capture: folder,
      off,
      pipeline,
      log,
      now,
      signal: this.#stop.signal,
      lastMessage: (transcript: string) => this.#said.get(transcript),
      after: yieldToPrompts,
    };
  }
}

/** Never tried first, then those that have been tried, the one longest ago first. */
function orderOf({ job: { failure } }: Ready): number {
  if (failure === undefined) return 0;
  if (failure.login === undefined) return Number.MAX_SAFE_INTEGER;
  return Date.parse(failure.at ?? "") || 1;
}
