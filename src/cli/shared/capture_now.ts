import { isRunning } from "../../capture/cursor.ts";
import { holdCapture, holdCaptureSoon } from "../../capture/hold.ts";
import { findJob, finish, type Job } from "../../capture/queue.ts";
import { capture, complete, type Pipeline, preview, type WorkOptions } from "../../capture/work.ts";
import type { Log } from "../../files/log.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** Maximum wait for a daemon that is capturing: it takes seconds, rarely minutes. */
const WAIT_MS = 5 * 60_000;

export interface CaptureNow {
  readonly context: CliContext;
  readonly pipeline: Pipeline;
  readonly log: Log;
  /** Captures turns that were captured before, too. */
  readonly again?: boolean | undefined;
  /** Only plans. */
  readonly dryRun?: boolean | undefined;
  /** Called before anything is read, while no other process captures. */
  readonly onHeld?: () => void;
}

/** Captures a conversation in this process, as the daemon does, and moves the cursor that both share. */
export async function captureNow(
  { transcript, cwd }: Pick<Job, "transcript" | "cwd">,
  { context: { paths }, pipeline, log, again, dryRun, onHeld }: CaptureNow,
): Promise<void> {
  const options: WorkOptions = {
    ...{ capture: paths.capture, pipeline, log, again, isNow: true },
    signal: new AbortController().signal, // Ctrl-C ends the process; the plan and the cursor are on disk
    now: () => new Date(),
    lastMessage: () => undefined,
    after: () => Promise.resolve(),
  };
  const now = new Date();
  const waiting = findJob(paths.capture, transcript);
  const job: Job = {
    ...{ transcript, cwd, claude: paths.claude, since: now.toISOString(), attempts: 0 },
    ...waiting,
    isUrgent: true,
    ...(isRunning(paths.capture, transcript, now) ? {} : { overAt: now.toISOString() }),
  };
  if (dryRun) return await preview(job, options);
  const release = await takeCapture(paths.capture);
  try {
    onHeld?.();
    await complete(options);
    await capture(job, options);
    if (waiting !== undefined) finish(paths.capture, waiting);
  } finally {
    release();
  }
}

/** Keeps other processes from capturing, once the daemon has finished what it captures; returns the release. */
export async function takeCapture(capture: string): Promise<() => void> {
  const release = holdCapture(capture);
  if (release !== undefined) return release;
  say("Waiting for the daemon to finish its capture");
  return await holdCaptureSoon(capture, WAIT_MS);
}
