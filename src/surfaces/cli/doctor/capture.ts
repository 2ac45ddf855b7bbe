import { isHeldBack } from "../../../core/memory/trust.ts";
import { isOthers } from "../../../core/memory/memory.ts";
import { counted, localTime } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { idHere } from "../shared/find.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";
import { type Job, readDropped, readJobs } from "../../../core/capture/queue.ts";
import type { DaemonStatus } from "../../../core/daemon/methods.ts";
import { call } from "../../../core/link/socket.ts";
import { isUsedUp } from "../../../core/llm/ledger.ts";
import { type Env, tilde } from "../../../paths.ts";
import { whyNotSent } from "../../../core/settings/purposes.ts";

/** Maximum memories to name. */
const NAMED = 3;

/** Counts captured memories, and those held back, of others too, because they ask for something the user never said. */
export function capturedMemories(patient: Patient): Finding {
  const all = patient.listings().flatMap(({ folder, memories }) =>
    memories.map((memory) => ({
      memory,
      folder,
      isHeld: isHeldBack(memory, folder),
    }))
  );
  const captured = all.filter(({ memory }) => memory.source?.turn !== undefined);
  const held = all.filter(({ isHeld }) => isHeld);
  const [first] = held;
  if (first === undefined) {
    return ok(captured.length === 0 ? "none yet" : `${captured.length}, none held back`);
  }
  const names = held.slice(0, NAMED).map(({ memory }) => `\`${visible(memory.name)}\``).join(", ");
  const rest = held.length > NAMED ? ` and ${held.length - NAMED} more` : "";
  const then = isOthers(first.folder.scope)
    ? "have its file reworded if it is harmless"
    : "`memo forget` it or remove its tag `suspect`";
  return warn(
    `held back: ${held.length} of ${
      counted(all.length, "memory", "memories")
    }, for requesting actions you never asked for: ${names}${rest}`,
    `Run \`memo show ${idHere(first.memory, patient)}\`, then ${then}`,
  );
}

/** Timeout for asking the daemon about its queue. */
const STATUS_MS = 1000;
/** Days for which a dropped conversation is reported. */
const TOLD_MS = 7 * 86_400_000;

/** Checks that no conversation is stuck in the queue or was dropped. */
export async function captureQueue({ config, paths, env, now }: Patient): Promise<Finding> {
  if (!config["capture.enabled"]) return ok("off (`capture.enabled` is false)");
  const refused = whyNotSent("capture", config);
  if (refused !== undefined) return ok(`off: ${refused}`);
  const jobs = readJobs(paths.capture);
  const failed = jobs.filter(({ failure }) => failure !== undefined);
  if (failed.length > 0) return failing(jobs, failed, env);
  const dropped = readDropped(paths.capture);
  if (dropped !== undefined && now.getTime() - Date.parse(dropped.at) < TOLD_MS) {
    const path = tilde(dropped.transcripts.at(-1)!, env);
    return warn(
      `gave up on ${
        counted(dropped.transcripts.length, "conversation")
      }, most recently \`${path}\`: ${dropped.because}`,
      `Run \`memo import conversations ${path} --again\``,
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
      "Open Claude Code there, or run `memo import conversations` with the login set",
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

/** What has failed, by login: each has a queue of its own. */
function failing(jobs: readonly Job[], failed: readonly Job[], env: Env): Finding {
  const byLogin = Map.groupBy(failed, ({ failure }) => failure!.login);
  const clauses = [...byLogin].map(([login, [first, ...more]]) => {
    const { failure, next } = first!;
    const isRetried = next !== undefined && !isUsedUp(failure!.hint);
    const tries = isRetried ? `; next try at ${moment(next)}` : "";
    const wait = more.length === 0 ? "waits" : "wait";
    const whose = login === undefined ? "failed" : `${wait} for a login that fails`;
    return `${1 + more.length} ${whose}: ${failure!.message}${tries}`;
  });
  const detail = `${counted(jobs.length, "conversation")} queued since ` +
    `${moment(jobs[0]!.since)}; ${clauses.join("; ")}`;
  const [{ transcript, failure }] = failed as [Job];
  if (isUsedUp(failure!.hint)) return warn(detail, failure!.hint!);
  // A hint to run `memo doctor` does not help here.
  const isKnown = failure!.hint === undefined || failure!.hint.includes("memo doctor");
  const hint = isKnown ? "" : `${failure!.hint}. `;
  return warn(
    detail,
    `${hint}Run \`memo import conversations ${
      tilde(transcript, env)
    }\` with a login that works, or ` +
      "`memo import conversations --drop` to discard what has failed",
  );
}

function moment(at: string): string {
  const { day, time } = localTime(new Date(at));
  return `${day} ${time}`;
}
