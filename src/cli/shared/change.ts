import type { Surroundings } from "../../change/follow.ts";
import { call } from "../../link/socket.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** Maximum wait for the daemon; a slower one finishes on its own. */
const TIMEOUT_MS = 2000;

/** Where a command makes changes: a running daemon updates the index, or the next session does. */
export function surroundings(context: CliContext): Surroundings {
  return {
    now: new Date(),
    sync: () => tellDaemon(context),
    warn: (message) => say(`warning: ${message}`),
  };
}

/** Makes a running daemon update its index. */
export async function tellDaemon({ cwd, paths }: CliContext): Promise<void> {
  const options = { socket: paths.socket, timeoutMs: TIMEOUT_MS };
  await call("sync", { cwd, claude: paths.claude }, options).catch(() => {});
}
