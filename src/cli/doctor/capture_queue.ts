import { type Job, readDropped, readJobs } from "../../capture/queue.ts";
import { localTime } from "../../journal/journal.ts";
import { tilde } from "../../paths.ts";
import { counted, type Finding, ok, type Patient, warn } from "./check.ts";

/** Days for which a dropped conversation is reported. */
const TOLD_MS = 7 * 86_400_000;

/** Checks that no conversation is stuck in the queue or was dropped. */
export function captureQueue({ config, paths, env, now }: Patient): Finding {
  if (!config["capture.enabled"]) return ok("off (`capture.enabled` is false)");
  const jobs = readJobs(paths.capture);
  const failed = jobs.find(({ failure }) => failure !== undefined);
  if (failed !== undefined) return waiting(jobs, failed);
  const dropped = readDropped(paths.capture);
  if (dropped !== undefined && now.getTime() - Date.parse(dropped.at) < TOLD_MS) {
    const path = tilde(dropped.transcript, env);
    return warn(
      `gave up on ${
        counted(dropped.count, "conversation")
      }, most recently \`${path}\`: ${dropped.because}`,
      `Run \`memo extract ${path}\``,
    );
  }
  if (jobs.length === 0) return ok("queue is empty");
  return ok(
    `${counted(jobs.length, "conversation")} queued since ${moment(jobs[0]!.since)}`,
  );
}

function waiting(jobs: readonly Job[], { failure, next }: Job): Finding {
  const tries = next === undefined ? "" : `; next try at ${moment(next)}`;
  const detail = `${counted(jobs.length, "conversation")} queued since ` +
    `${moment(jobs[0]!.since)}: ${failure!.message}${tries}`;
  // A hint to run `memo doctor` is no help here.
  const hint = failure!.hint?.includes("memo doctor") ? undefined : failure!.hint;
  return warn(detail, hint ?? "Run `memo daemon logs` to see why");
}

function moment(at: string): string {
  const { day, time } = localTime(new Date(at));
  return `${day} ${time}`;
}
