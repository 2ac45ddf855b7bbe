import { type Job, readDropped, readJobs } from "../../capture/queue.ts";
import { localTime } from "../../journal/journal.ts";
import { tilde } from "../../paths.ts";
import { counted, type Finding, ok, type Patient, warn } from "./check.ts";

/** What was given up is told for as long. */
const TOLD_MS = 7 * 86_400_000;

/** Conversations are captured, and none waits in vain. */
export function captureQueue({ config, paths, env, now }: Patient): Finding {
  if (!config["capture.enabled"]) return ok("off, as `capture.enabled` has it");
  const jobs = readJobs(paths.capture);
  const failed = jobs.find(({ failure }) => failure !== undefined);
  if (failed !== undefined) return waiting(jobs, failed);
  const dropped = readDropped(paths.capture);
  if (dropped !== undefined && now.getTime() - Date.parse(dropped.at) < TOLD_MS) {
    const path = tilde(dropped.transcript, env);
    return warn(
      `${
        counted(dropped.count, "conversation")
      } given up, the last \`${path}\`: ${dropped.because}`,
      `Run \`memo extract ${path}\``,
    );
  }
  if (jobs.length === 0) return ok("no conversation waits");
  return ok(
    `${counted(jobs.length, "conversation")} in the queue, since ${moment(jobs[0]!.since)}`,
  );
}

function waiting(jobs: readonly Job[], { failure, next }: Job): Finding {
  const tries = next === undefined ? "" : `; it is tried again at ${moment(next)}`;
  const detail = `${counted(jobs.length, "conversation")} in the queue, since ` +
    `${moment(jobs[0]!.since)}: ${failure!.message}${tries}`;
  // The hint may be to run what the reader has just run.
  const hint = failure!.hint?.includes("memo doctor") ? undefined : failure!.hint;
  return warn(detail, hint ?? "Run `memo daemon logs` to see why");
}

function moment(at: string): string {
  const { day, time } = localTime(new Date(at));
  return `${day} ${time}`;
}
