// Which transcripts have something new, one file each, written by hooks in a millisecond and worked off by the daemon.
// Nothing of a conversation stands in the queue: the transcript has it, and what is not redacted is not written.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { fileFor, filesIn, readState, writeState } from "./state_file.ts";

/** What a hook has to say about a transcript. */
export interface Trigger {
  readonly transcript: string;
  readonly cwd: string;
  /** The folder that Claude Code runs in, where the hook could tell. */
  readonly projectDir?: string | undefined;
  /** Claude Code's configuration folder. */
  readonly claude: string;
  /** The session had no login and no settings of its own: it may be captured when the session has gone. */
  readonly isPlain?: boolean | undefined;
  /** Whether the turn that the transcript ends with is over. */
  readonly isOver: boolean;
  /** Whether a little that is new may wait until there is more: each question has the same long preface. */
  readonly mayWait?: boolean;
}

/** A transcript that waits to be captured. */
export interface Job extends Omit<Trigger, "isOver" | "mayWait"> {
  /** When it was first asked for, ISO 8601. */
  readonly since: string;
  /** Turns that began before this are over, whatever the transcript says. */
  readonly overAt?: string;
  /** How often it failed in a row. */
  readonly attempts: number;
  /** It is not tried again before this; without a failure it waits for more to be said. */
  readonly next?: string;
  /** Set when it waits for nothing. */
  readonly isUrgent?: true;
  readonly failure?: Failure;
}

/** Why capture came to nothing. */
export interface Failure {
  readonly message: string;
  /** What helps. */
  readonly hint?: string | undefined;
}

/** What was given up. */
export interface Dropped {
  readonly count: number;
  /** The last one. */
  readonly transcript: string;
  readonly at: string;
  readonly because: string;
}

/** Claude Code deletes transcripts after as long. */
const MAX_AGE_MS = 30 * 86_400_000;
const MAX_JOBS = 200;
/** The first wait after a failure; it doubles up to the ceiling. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 30 * 60_000;

/** Asks for a transcript to be captured; a job that waits for it already takes the trigger in. */
export function enqueue(capture: string, trigger: Trigger, now: Date): void {
  const { isOver, mayWait = false, ...where } = trigger;
  const at = now.toISOString();
  const { next, ...waiting }: Partial<Job> = findJob(capture, where.transcript) ?? {};
  const job: Job = {
    since: at,
    attempts: 0,
    ...waiting,
    ...(waiting.failure === undefined || next === undefined ? {} : { next }),
    ...where,
    ...(isOver ? { overAt: at } : {}),
    ...(mayWait ? {} : { isUrgent: true }),
  };
  writeState(jobFile(capture, job), job, { durable: false });
}

/** Moves jobs that a hook had to leave elsewhere into the queue; what cannot be moved stays for the next time. */
export function adoptJobs(spare: string, capture: string): void {
  const jobs = readJobs(spare);
  if (jobs.length === 0) return;
  for (const job of jobs) {
    try {
      if (findJob(capture, job.transcript) === undefined) {
        writeState(jobFile(capture, job), job, { durable: true });
      }
      remove(spare, job);
    } catch {
      return; // there is still no place to write
    }
  }
  rmSync(spare, { recursive: true, force: true });
}

/** Has a job wait for more to be said, unless a hook has had more to say since it was read. */
export function defer(capture: string, job: Job, until: Date): void {
  if (!isDeepStrictEqual(findJob(capture, job.transcript), job)) return;
  writeState(jobFile(capture, job), { ...job, next: until.toISOString() }, { durable: false });
}

/** The jobs that wait, oldest first. */
export function readJobs(capture: string): Job[] {
  return filesIn(queueFolder(capture)).flatMap((path) => readJob(path) ?? [])
    .toSorted((a, b) => a.since < b.since ? -1 : a.since > b.since ? 1 : 0);
}

/** The job of a transcript, if one waits. */
export function findJob(capture: string, transcript: string): Job | undefined {
  const job = readJob(jobFile(capture, { transcript }));
  return job?.transcript === transcript ? job : undefined;
}

/** Whether a job may be tried now. */
export function isDue({ next }: Job, now: Date): boolean {
  return next === undefined || Date.parse(next) <= now.getTime();
}

/** Removes a job that is done, unless a hook has had more to say since it was read. */
export function finish(capture: string, job: Job): void {
  if (isDeepStrictEqual(findJob(capture, job.transcript), job)) remove(capture, job);
}

/** Puts a job off that has failed, for longer each time. */
export function putOff(capture: string, job: Job, failure: Failure, now: Date): void {
  const present = findJob(capture, job.transcript) ?? job;
  const attempts = present.attempts + 1;
  const next = new Date(now.getTime() + waitAfter(attempts)).toISOString();
  writeState(jobFile(capture, job), { ...present, attempts, next, failure }, { durable: false });
}

/** How long to wait after so many failures in a row, in milliseconds. */
export function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16));
}

/** Lets jobs that wait, for another try or for more to be said, have their turn now. */
export function tryNow(capture: string): void {
  for (const { next, ...job } of readJobs(capture)) {
    if (next === undefined) continue;
    writeState(jobFile(capture, job), { ...job, isUrgent: true }, { durable: false });
  }
}

/** Gives up jobs that are too old or too many, the oldest first, and returns them. */
export function dropExcess(capture: string, now: Date): Job[] {
  const jobs = readJobs(capture);
  const oldest = new Date(now.getTime() - MAX_AGE_MS).toISOString();
  const excess = jobs.length - MAX_JOBS;
  const dropped = jobs.filter(({ since }, place) => since < oldest || place < excess);
  for (const job of dropped) {
    remove(capture, job);
    const because = job.failure?.message ??
      (job.since < oldest ? "It waited for 30 days" : `More than ${MAX_JOBS} waited`);
    noteDropped(capture, { transcript: job.transcript, because }, now);
  }
  return dropped;
}

/** Notes that some of a conversation was given up. */
export function noteDropped(
  capture: string,
  { transcript, because }: Pick<Dropped, "transcript" | "because">,
  now: Date,
): void {
  const count = (readDropped(capture)?.count ?? 0) + 1;
  const dropped: Dropped = { count, transcript, at: now.toISOString(), because };
  writeState(join(capture, DROPPED), dropped, { durable: false });
}

/** What was given up so far; undefined: nothing. */
export function readDropped(capture: string): Dropped | undefined {
  const value = readState(join(capture, DROPPED));
  return typeof value?.["transcript"] === "string" ? value as unknown as Dropped : undefined;
}

const DROPPED = "dropped.json";

function remove(capture: string, job: Job): void {
  rmSync(jobFile(capture, job), { force: true });
}

function jobFile(capture: string, { transcript }: Pick<Job, "transcript">): string {
  return fileFor(queueFolder(capture), transcript);
}

function queueFolder(capture: string): string {
  return join(capture, "queue");
}

function readJob(path: string): Job | undefined {
  const value = readState(path);
  const texts = ["transcript", "cwd", "claude", "since"].map((name) => value?.[name]);
  return texts.every((text) => typeof text === "string") && Number.isInteger(value?.["attempts"])
    ? value as unknown as Job
    : undefined;
}
