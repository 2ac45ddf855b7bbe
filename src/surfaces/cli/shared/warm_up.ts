import { setTimeout as sleep } from "node:timers/promises";
import { startDaemon } from "../../../core/daemon/lifecycle.ts";
import type { DaemonStatus } from "../../../core/daemon/methods.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { call } from "../../../core/link/socket.ts";
import { counted } from "../../../core/text/counted.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";
import { progressBar } from "./progress.ts";

/** Maximum wait for one answer of the daemon, which may be reading thousands of files. */
const ANSWER_MS = 60_000;
/** Interval of the requests for the daemon's progress. */
const POLL_MS = 100;
/** Maximum time without progress; after it the daemon continues on its own. */
const STALLED_MS = 20_000;

/**
 * Starts the daemon and makes it index the memories that apply here, so that the first prompt finds everything ready.
 * Returns warnings.
 */
export async function warmUp(context: CliContext): Promise<string[]> {
  const { paths, env, cwd } = context;
  try {
    await startDaemon(paths, env);
    const options = { socket: paths.socket, timeoutMs: ANSWER_MS };
    await call("sync", { cwd, claude: paths.claude }, options);
    await embedded(context);
    return [];
  } catch (error) {
    return [`${messageOf(error)}; the first prompts may match by keyword only`];
  }
}

/** Waits for the vectors, which the daemon computes in the background. */
async function embedded({ paths }: CliContext): Promise<void> {
  const bar = progressBar("Embedding");
  let [total, last, movedAt] = [0, -1, performance.now()];
  try {
    for (;;) {
      const options = { socket: paths.socket, timeoutMs: ANSWER_MS };
      const { pending } = await call("status", {}, options) as DaemonStatus;
      if (pending === 0) return;
      if (pending !== last) [last, movedAt] = [pending, performance.now()];
      else if (performance.now() - movedAt > STALLED_MS) break;
      total = Math.max(total, pending);
      bar.update(total - pending, total);
      await sleep(POLL_MS);
    }
  } finally {
    bar.stop();
  }
  const texts = counted(last, "memory has", "memories have");
  say(`${texts} no embedding yet; \`memo daemon logs\` shows why`);
}

/**
 * Fetches the memories that the environment of a new container names: a team's (`MEMO_TEAM_URL`, `MEMO_TEAM_TOKEN`,
 * `MEMO_TEAM_AS`) and one's own (`MEMO_SYNC_REMOTE`). What cannot be had is said, and the set-up goes on.
 */
export async function fetchFromEnvironment(context: CliContext): Promise<void> {
  const { env } = context;
  if (!env["MEMO_TEAM_URL"] && !env["MEMO_SYNC_REMOTE"]) return;
  const sources = [
    async () => (await import("../team.ts")).joinFromEnvironment(context),
    async () => (await import("../sync.ts")).syncFromEnvironment(context),
  ];
  for (const fetch of sources) {
    try {
      const done = await fetch();
      if (done !== undefined) say(done);
    } catch (error) {
      if (!(error instanceof MemoError)) throw error;
      say(`warning: ${error.message}`);
      if (error.hint !== undefined) say(`hint: ${error.hint}`);
    }
  }
}
