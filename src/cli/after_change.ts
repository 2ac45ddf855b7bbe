import { messageOf } from "../errors.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { call } from "../link/socket.ts";
import { writeIndexFile } from "../memory/index_file.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** Longest wait for a daemon; one that takes longer finishes without us. */
const TIMEOUT_MS = 2000;

/**
 * What follows every change in a memory folder: its `MEMORY.md` is written, and a running daemon told. Neither
 * undoes the change when it fails, and without a daemon the next session brings the index in step.
 */
export async function afterChange(context: CliContext, folder: MemoryFolder): Promise<void> {
  try {
    writeIndexFile(folder);
  } catch (error) {
    say(`warning: ${messageOf(error)}`);
  }
  const { cwd, paths } = context;
  const options = { socket: paths.socket, timeoutMs: TIMEOUT_MS };
  await call("sync", { cwd, claude: paths.claude }, options).catch(() => {});
}
