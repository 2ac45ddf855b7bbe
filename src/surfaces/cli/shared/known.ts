import { statsOf } from "../../../core/files/there.ts";
import { call } from "../../../core/link/socket.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** The files of so small an index are as soon read: its library takes a while to load. */
const LEAST_BYTES = 2_000_000;
/** A daemon that does not answer within this time has other things to do: a look at the files takes as long. */
const ANSWER_MS = 500;

/** A context whose memory folders are known to the index, so that no command reads all of a large store's files. */
export async function withKnownFiles(context: CliContext): Promise<CliContext> {
  const { paths, place } = context;
  if ((statsOf(paths.db)?.size ?? 0) < LEAST_BYTES) return context;
  const [{ openKnown }, current] = await Promise.all([
    import("../../../core/index/known_memories.ts"),
    currentFolders(context),
  ]);
  const known = await openKnown(paths.db, current);
  if (known === undefined) say("note: The index cannot be used: all memory files are read instead");
  return { ...context, place: { ...place, known } };
}

/** The memory folders whose changes a daemon follows, so that the index has them as they are. */
async function currentFolders({ paths, cwd }: CliContext): Promise<readonly string[]> {
  const { claude, socket } = paths;
  try {
    const params = { claude, cwd, projectDir: cwd };
    const reply = await call("current", params, { socket, timeoutMs: ANSWER_MS });
    return (reply as { readonly folders: readonly string[] }).folders;
  } catch {
    return []; // there is none, or one of an older memo: each file is compared with the index
  }
}
