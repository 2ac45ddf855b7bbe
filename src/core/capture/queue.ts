// Transcripts with new content, one file each, written by hooks in a millisecond and processed by the daemon. The queue
// holds no conversation text: the transcript has it, and unredacted text is never written.

import { mkdirSync, rmSync, utimesSync } from "node:fs";
import { takeLock } from "../files/lock.ts";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readState, writeState } from "../files/state.ts";
import { fileByTranscript, type Location } from "./cursor.ts";

/** A hook's report about a transcript. */
export interface Trigger extends Omit<Location, "pid"> {
  /** Whether the transcript's last turn is over. */
  readonly isOver: boolean;
  /** Whether a small addition may wait for more: every LLM call repeats the same long preface. */
  readonly mayWait?: boolean;
}

/** A transcript waiting for capture. */
export interface CaptureJob extends Omit<Trigger, "isOver" | "mayWait"> {
  /** When it was first queued, ISO 8601. */
  readonly since: string;
  /** Turns that began before this are over, whatever the transcript says. */
  readonly overAt?: string;
  /** Consecutive failures that are its own, and not its login's. */
  readonly attempts: number;
  /** Not tried before this time, after a failure or to wait for more text. */
  readonly next?: string;
  readonly isUrgent?: true;
  readonly failure?: CaptureFailure;
}

/** Why a capture failed. */
export interface CaptureFailure {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The login was refused, which no waiting mends. */
  readonly isRefusal?: boolean;
  /** The login that failed, as a digest; undefined if the conversation itself is at fault. */
  readonly login?: string | undefined;
  /** Consecutive failures of the login. */
  readonly times?: number;
  /** When this conversation was tried with the login; undefined if another one found out. */
  readonly at?: string | undefined;
}

/** The conversations of which something was dropped. */
export interface DroppedJobs {
  /** Their transcripts, the most recent one last. */
  readonly transcripts: readonly string[];
  readonly at: string;
  readonly because: string;
}

/** Claude Code deletes transcripts after this long. */
const MAX_AGE_MS = 30 * 86_400_000, MAX_JOBS = 200;
const DROPPED = "dropped.json";
/** The first wait after a failure; it doubles up to a maximum. */
const FIRST_WAIT_MS = 60_000, LONGEST_WAIT_MS = 30 * 60_000;

const QUEUE = fileByTranscript<CaptureJob>(
  "queue",
  ({ since, attempts }) => typeof since === "string" && Number.isInteger(attempts),
);

/** The waiting job of a transcript, if any. */
export const findJob = QUEUE.find;

/** Queues a transcript for capture; a job already waiting for it takes in the trigger. */
export function enqueue(capture: string, trigger: Trigger, now: Date): void {
  const { isOver, mayWait = false, ...where } = trigger;
  const at = now.toISOString();
  const { next, ...waiting }: Partial<CaptureJob> = findJob(capture, where.transcript) ?? {};
  const job: CaptureJob = {
    since: at,
    attempts: 0,
    ...waiting,
    ...(waiting.failure === undefined || next === undefined ? {} : { next }),
    ...where,
    ...(isOver ? { overAt: at } : {}),
    ...(mayWait ? {} : { isUrgent: true }),
  };
  QUEUE.save(capture, job);
}

/** Moves jobs that a hook had to store elsewhere into the queue; a job that cannot be moved stays for the next time. */
export function adoptJobs(spare: string, capture: string): void {
  const jobs = readJobs(spare);
  if (jobs.length === 0) return;
  try {
    for (const job of jobs) {
      const isKnown = findJob(capture, job.transcript) !== undefined;
      if (!isKnown) QUEUE.save(capture, job, { durable: true });
      QUEUE.remove(spare, job);
    }
    rmSync(spare, { recursive: true, force: true });
  } catch {
    // still not writable
  }
}

/** Makes a job wait for more text, unless a hook has updated it since it was read. */
export function defer(capture: string, job: CaptureJob, until: Date): void {
  if (isUnchanged(capture, job)) QUEUE.save(capture, { ...job, next: until.toISOString() });
}

/** Removes a finished job, unless a hook has updated it since it was read. */
export function finish(capture: string, job: CaptureJob): void {
  if (isUnchanged(capture, job)) QUEUE.remove(capture, job);
}

function isUnchanged(capture: string, job: CaptureJob): boolean {
  return isDeepStrictEqual(findJob(capture, job.transcript), job);
}

/** The waiting jobs, oldest first. */
export function readJobs(capture: string): CaptureJob[] {
  return QUEUE.all(capture).toSorted((a, b) => a.since < b.since ? -1 : Number(a.since > b.since));
}

/** Whether a job can be tried now. One that waits longer than any does was put off before the clock was set back. */
export function isDue({ next }: CaptureJob, now: Date): boolean {
  const wait = next === undefined ? 0 : Date.parse(next) - now.getTime();
  return wait <= 0 || wait > LONGEST_WAIT_MS;
}

/** Postpones a failed job, longer each time. */
export function putOff(capture: string, job: CaptureJob, failure: CaptureFailure, now: Date): void {
  const present = findJob(capture, job.transcript) ?? job;
  const attempts = present.attempts + 1;
  const next = new Date(now.getTime() + waitAfter(attempts)).toISOString();
  QUEUE.save(capture, { ...present, attempts, next, failure });
}

/** Postpones all jobs of a login that has failed for one of them, longer each time. */
export function putOffLogin(
  capture: string,
  { login, jobs, tried }: {
    readonly login: string;
    readonly jobs: readonly CaptureJob[];
    readonly tried: CaptureJob;
  },
  { message, hint, isRefusal }: CaptureFailure,
  now: Date,
): void {
  const failures = readJobs(capture).filter(({ failure }) => failure?.login === login);
  const times = 1 + Math.max(0, ...failures.map(({ failure }) => failure?.times ?? 0));
  const next = new Date(now.getTime() + waitAfter(times)).toISOString();
  for (const transcript of new Set([...jobs, tried].map(({ transcript }) => transcript))) {
    const job = findJob(capture, transcript);
    if (job === undefined) continue;
    const at = transcript === tried.transcript ? now.toISOString() : job.failure?.at;
    const failure: CaptureFailure = { message, hint, isRefusal, login, times, at };
    QUEUE.save(capture, { ...job, next, failure });
  }
}

/**
 * Makes the jobs of a login due that has just served another one. Those that it had failed for are under suspicion: if
 * they fail again, it is not the login's fault.
 */
export function acquitLogin(capture: string, login: string): void {
  for (const { next: _, failure, ...job } of readJobs(capture)) {
    if (failure?.login !== login) continue;
    const { message, hint, at } = failure;
    const suspicion = at === undefined ? {} : { failure: { message, hint } };
    QUEUE.save(capture, { ...job, ...suspicion });
  }
}

/** The logins whose next try is not due yet. */
export function restingLogins(jobs: readonly CaptureJob[], now: Date): Set<string> {
  return new Set(
    jobs.filter((job) => !isDue(job, now)).flatMap(({ failure }) => failure?.login ?? []),
  );
}

/** The wait after this many consecutive failures, in milliseconds. */
export function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16));
}

/** Whether the capture of a conversation has failed more than once, or will again. */
export function isStuck({ failure, attempts }: CaptureJob): boolean {
  return failure !== undefined && (failure.isRefusal || (failure.times ?? attempts) > 1);
}

/** The conversation of a transcript, if its capture is stuck. */
export function stuckJob(capture: string, transcript: string): CaptureJob | undefined {
  const job = findJob(capture, transcript);
  return job !== undefined && isStuck(job) ? job : undefined;
}

/** Makes all waiting jobs due now. */
export function tryNow(capture: string): void {
  for (const { next, ...job } of readJobs(capture)) {
    if (next === undefined) continue;
    QUEUE.save(capture, { ...job, isUrgent: true });
  }
}

/** Drops jobs that are too old or too many, oldest first, and returns them. */
export function dropExcess(capture: string, now: Date): CaptureJob[] {
  const jobs = readJobs(capture);
  const oldest = new Date(now.getTime() - MAX_AGE_MS).toISOString();
  const excess = jobs.length - MAX_JOBS;
  const dropped = jobs.filter(({ since }, place) => since < oldest || place < excess);
  for (const job of dropped) {
    QUEUE.remove(capture, job);
    const because = job.failure?.message ??
      (job.since < oldest ? "It was queued for 30 days" : `More than ${MAX_JOBS} were queued`);
    noteDropped(capture, { transcript: job.transcript, because }, now);
  }
  return dropped;
}

/** Records that part of a conversation was dropped. */
export function noteDropped(
  capture: string,
  { transcript, because }: { readonly transcript: string; readonly because: string },
  now: Date,
): void {
  const others = readDropped(capture)?.transcripts.filter((other) => other !== transcript) ?? [];
  const transcripts = [...others, transcript].slice(-MAX_JOBS);
  const dropped: DroppedJobs = { transcripts, at: now.toISOString(), because };
  writeState(join(capture, DROPPED), dropped);
}

/** The dropped work so far; undefined if none. */
export function readDropped(capture: string): DroppedJobs | undefined {
  const value = readState(join(capture, DROPPED));
  return Array.isArray(value?.["transcripts"]) ? value as unknown as DroppedJobs : undefined;
}

/** The holder touches the lock once a minute: an LLM call takes long, and process ids are reused. */
const BEAT_MS = 60_000, FRESH_MS = 10 * BEAT_MS;

/** Keeps others from capturing, since two would pay twice for a turn; returns the release, undefined if one does already. */
export function holdCapture(capture: string): (() => void) | undefined {
  mkdirSync(capture, { recursive: true, mode: 0o700 });
  const path = join(capture, "lock");
  const release = takeLock(path, FRESH_MS);
  if (release === undefined) return undefined;
  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // another process has removed it
    }
  }, BEAT_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    release();
  };
}
