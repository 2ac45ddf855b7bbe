import { type Job, readDropped, readJobs } from "../../capture/queue.ts";
import type { DaemonStatus } from "../../daemon/methods.ts";
import { localTime } from "../../text/local_time.ts";
import { call } from "../../link/socket.ts";
import { tilde } from "../../paths.ts";
import { counted, type Finding, ok, type Patient, warn } from "./check.ts";

/** Timeout for asking the daemon about its queue. */
const STATUS_MS = 1000;
/** Days for which a dropped conversation is reported. */
const TOLD_MS = 7 * 86_400_000;

/** Checks that no conversation is stuck in the queue or was dropped. */
export async function captureQueue({ config, paths, env, now }: Patient): Promise<Finding> {
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
  const left = await waitingForSession(jobs, paths.socket);
  if (left > 0) {
    const [needs, its] = left === 1 ? ["waits", "its"] : ["wait", "their"];
    return warn(
      `${
        counted(left, "conversation")
      } ${needs} for a session in ${its} project: the one whose login it had has ended, ` +
        "and no login is kept",
      "Open Claude Code there, or run `memo extract` with the login set",
    );
  }
  return ok(
    `${counted(jobs.length, "conversation")} queued since ${moment(jobs[0]!.since)}`,
  );
}

/** The number of conversations that need the login of an ended session; the daemon knows which sessions are open. */
async function waitingForSession(jobs: readonly Job[], socket: string): Promise<number> {
  try {
    const status = await call("status", {}, { socket, timeoutMs: STATUS_MS }) as DaemonStatus;
    return status.waiting;
  } catch {
    return jobs.filter(({ isPlain }) => !isPlain).length; // no daemon, no session
  }
}

function waiting(jobs: readonly Job[], { failure, next }: Job): Finding {
  const tries = next === undefined ? "" : `; next try at ${moment(next)}`;
  const detail = `${counted(jobs.length, "conversation")} queued since ` +
    `${moment(jobs[0]!.since)}: ${failure!.message}${tries}`;
  // A hint to run `memo doctor` does not help here.
  const hint = failure!.hint?.includes("memo doctor") ? undefined : failure!.hint;
  return warn(detail, hint ?? "Run `memo daemon logs` to see why");
}

function moment(at: string): string {
  const { day, time } = localTime(new Date(at));
  return `${day} ${time}`;
}
