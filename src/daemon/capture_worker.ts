import { sizeOf, skipTo } from "../capture/cursor.ts";
import { holdCapture } from "../capture/hold.ts";
import {
  dropExcess,
  finish,
  isDue,
  type Job,
  putOff,
  readJobs,
  tryNow,
  waitAfter,
} from "../capture/queue.ts";
import { capture, complete, hasKept, type Pipeline } from "../capture/work.ts";
import { MemoError, messageOf } from "../errors.ts";
import type { CaptureNews } from "../events/event.ts";
import { UnusableAnswer } from "../llm/provider.ts";
import type { Log } from "../files/log.ts";
import type { Env } from "../paths.ts";

export interface CaptureOptions {
  /** Capture's folder. */
  readonly folder: string;
  readonly pipeline: Pipeline;
  readonly log: Log;
  /** The environment for LLM calls about a conversation; undefined while it waits for a session of its project. */
  envFor(job: Job): Env | undefined;
  /** Whether conversations at a place are captured. */
  isEnabled(job: Job, env: Env): boolean;
  /** Called when all of a conversation has been captured, with the environment of its LLM calls. */
  afterCapture(job: Job, env: Env, signal: AbortSignal): Promise<void>;
  /** Resolves when no prompt is being answered. */
  yieldToPrompts(): Promise<void>;
  now(): Date;
}

/**
 * Captures the queue, one transcript at a time, at a lower priority than prompts. All of its state is in files,
 * so the process may end at any moment.
 */
export class CaptureWorker {
  readonly #options: CaptureOptions;
  readonly #stop = new AbortController();
  readonly #said = new Map<string, string>();
  #round: Promise<void> | undefined;
  #again = false;
  /** Consecutive times that no language model could be asked, and the time of the next try. */
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
    return this.#round !== undefined || (!this.#rests() && this.#due().length > 0);
  }

  /** Stops at the next step, waiting at most `ms` for it; the next daemon does the rest. */
  async close(ms: number): Promise<void> {
    this.#stop.abort();
    await Promise.race([this.#round, new Promise((resolve) => setTimeout(resolve, ms).unref())]);
  }

  async #work(): Promise<void> {
    const { folder, log, now } = this.#options;
    for (const { transcript, failure } of dropExcess(folder, now())) {
      log("capture", { transcript, gaveUp: failure?.message ?? "it waited for too long" });
    }
    while (!this.#rests() && (hasKept(folder) || this.#due().length > 0)) {
      this.#stop.signal.throwIfAborted();
      const release = holdCapture(folder);
      if (release === undefined) return; // `memo extract` is running; the next tick looks again
      try {
        await complete(this.#workOptions());
        const job = this.#due()[0];
        if (job !== undefined) await this.#attempt(job);
      } finally {
        release();
      }
    }
  }

  async #attempt(job: Job): Promise<void> {
    const { folder, log, now } = this.#options;
    const started = performance.now();
    try {
      let isDone = true;
      const env = this.#options.envFor(job);
      if (env === undefined) return; // its session has just ended
      if (this.#options.isEnabled(job, env)) isDone = await capture(job, this.#workOptions());
      else {
        skipTo(folder, job);
        finish(folder, job);
      }
      if (isDone) this.#said.delete(job.transcript);
      if (isDone) await this.#options.afterCapture(job, env, this.#stop.signal);
      this.#failures = 0;
      const ms = Math.round(performance.now() - started);
      const bytes = sizeOf(job.transcript);
      log("capture", { transcript: job.transcript, bytes, ms, ...(isDone ? {} : { waits: true }) });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const hint = error instanceof MemoError ? error.hint : undefined;
      putOff(folder, job, { message: messageOf(error), hint }, now());
      log("capture", { transcript: job.transcript, failed: messageOf(error) });
      // A provider that failed for this transcript would fail for the next one, too.
      const nobody = error instanceof MemoError && ["llm", "timeout"].includes(error.kind) &&
        !(error instanceof UnusableAnswer);
      if (nobody) this.#rest(now());
    }
  }

  /** Backs off after a failure: the same work is retried later, and no other work before it. */
  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const { log, now } = this.#options;
    log("capture", { failed: messageOf(error) });
    this.#rest(now());
  }

  #rest(now: Date): void {
    this.#restsUntil = now.getTime() + waitAfter(++this.#failures);
  }

  #due(): Job[] {
    const now = this.#options.now();
    return readJobs(this.#options.folder)
      .filter((job) => isDue(job, now) && this.#options.envFor(job) !== undefined);
  }

  #rests(): boolean {
    return this.#options.now().getTime() < this.#restsUntil;
  }

  #workOptions() {
    const { folder, pipeline, log, yieldToPrompts, now } = this.#options;
    return {
      capture: folder,
      pipeline,
      log,
      now,
      signal: this.#stop.signal,
      lastMessage: (transcript: string) => this.#said.get(transcript),
      after: yieldToPrompts,
    };
  }
}
