import { isRunning } from "../../../core/capture/cursor.ts";
import {
  capture,
  complete,
  type Pipeline,
  preview,
  type WorkOptions,
} from "../../../core/capture/work.ts";
import { type CaptureJob, findJob, finish, holdCapture } from "../../../core/capture/queue.ts";
import { type ChangePlan } from "../../../core/change/change.ts";
import { capturePipeline } from "../../../core/engine/surroundings.ts";
import { type Engine } from "../../../core/engine/engine.ts";
import { MemoError } from "../../../errors.ts";
import type { OwnScope } from "../../../core/memory/memory.ts";
import { whenFree } from "../../../core/files/lock.ts";
import type { Log } from "../../../core/files/log.ts";
import { type Turn } from "../../../core/transcript/turns.ts";
import { catchUp } from "./local.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** Maximum wait for a daemon that is capturing: it takes seconds, rarely minutes. */
const WAIT_MS = 5 * 60_000;

export interface CaptureNow {
  readonly context: CliContext;
  readonly engine: Engine;
  readonly log: Log;
  /** Captures turns that were captured before, too. */
  readonly again?: boolean | undefined;
  /** The turns of a conversation that is no file. */
  readonly turns?: readonly Turn[] | undefined;
  /** Where all memories go; default: by their content and the settings. */
  readonly scope?: OwnScope | undefined;
  /** Only plans. */
  readonly dryRun?: boolean | undefined;
  /** Called before anything is read, while no other process captures. */
  readonly onHeld?: () => void;
  /** Takes how many questions are answered, of those that the turns at hand take. */
  readonly onProgress: (done: number, of: number) => void;
  /** Takes each plan before it is applied. */
  readonly onPlan?: (plan: ChangePlan, turns: readonly Turn[]) => void;
  /** Takes each plan that was applied, one too that was kept before a kill. */
  readonly onApplied?: (plan: ChangePlan) => void;
}

/** Captures a conversation in this process, as the daemon does, and moves the cursor that both share. */
export async function captureNow(
  { transcript, cwd }: Pick<CaptureJob, "transcript" | "cwd">,
  { context: { paths, env }, engine, log, again, turns, scope, dryRun, ...on }: CaptureNow,
): Promise<void> {
  const { plan, apply } = capturePipeline(engine, log, {
    envFor: () => env, // the command's own login
    ...{ onProgress: on.onProgress, scope },
  });
  const pipeline: Pipeline = {
    async plan(turns, where) {
      await catchUp(engine);
      const planned = await plan(turns, where);
      on.onPlan?.(planned, turns);
      return planned;
    },
    async apply(planned, where) {
      await apply(planned, where);
      on.onApplied?.(planned);
    },
  };
  const options: WorkOptions = {
    ...{ capture: paths.capture, off: paths, pipeline, log, again, turns, isNow: true },
    signal: new AbortController().signal, // Ctrl-C ends the process; the plan and the cursor are on disk
    now: () => new Date(),
    lastMessage: () => undefined,
    after: () => Promise.resolve(),
  };
  const now = new Date();
  const waiting = findJob(paths.capture, transcript);
  const job: CaptureJob = {
    ...{ transcript, cwd, claude: paths.claude, since: now.toISOString(), attempts: 0 },
    ...waiting,
    isUrgent: true,
    ...(isRunning(paths.capture, transcript, now) ? {} : { overAt: now.toISOString() }),
  };
  if (dryRun) return await preview(job, options);
  const release = await takeCapture(paths.capture);
  try {
    on.onHeld?.();
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
  const soon = await whenFree(() => holdCapture(capture), { waitMs: WAIT_MS, pollMs: 100 });
  if (soon !== undefined) return soon;
  throw new MemoError("timeout", "Cannot capture: another memo process is still capturing", {
    hint: "Run `memo daemon logs` to see its progress, and try again later",
  });
}
