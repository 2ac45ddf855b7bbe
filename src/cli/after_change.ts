import { messageOf } from "../errors.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { call } from "../link/socket.ts";
import { writeIndexFile } from "../memory/index_file.ts";
import { readMemoryFile } from "../memory/store.ts";
import { vouchFor } from "../memory/trust.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** Maximum wait for the daemon; a slower one finishes on its own. */
const TIMEOUT_MS = 2000;

/**
 * Follows up a change in a memory folder: trusts the file that the user has `written`, writes the folder's `MEMORY.md`
 * and notifies a running daemon. A failure here does not undo the change. Without a daemon, the next session updates
 * the index.
 */
export async function afterChange(
  context: CliContext,
  folder: MemoryFolder,
  written?: string,
): Promise<void> {
  try {
    if (written !== undefined) {
      const { digest } = readMemoryFile(written, folder.scope);
      await vouchFor(folder, digest === undefined ? [] : [digest]);
    }
    writeIndexFile(folder);
  } catch (error) {
    say(`warning: ${messageOf(error)}`);
  }
  await tellDaemon(context);
}

/** Makes a running daemon update its index. */
export async function tellDaemon({ cwd, paths }: CliContext): Promise<void> {
  const options = { socket: paths.socket, timeoutMs: TIMEOUT_MS };
  await call("sync", { cwd, claude: paths.claude }, options).catch(() => {});
}
