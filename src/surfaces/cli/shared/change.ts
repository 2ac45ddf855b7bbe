import type { ChangedFolder, Surroundings } from "../../../core/change/follow.ts";
import type { MemoryFile } from "../../../core/memory/memory.ts";
import { call } from "../../../core/link/socket.ts";
import { isModel } from "../../../features/verbs/changed.ts";
import type { CliContext } from "./command.ts";
import { outJson, outPath, say } from "./output.ts";

/** Maximum wait for the daemon; a slower one finishes on its own. */
const TIMEOUT_MS = 2000;

/** Where a command makes changes: a running daemon updates the index, or the next session does. */
export function surroundings(context: CliContext): Surroundings {
  return {
    now: new Date(),
    sync: async (changed) => {
      const listed = new Set(await notifyDaemon(context, changed));
      return changed.map(({ folder }) => folder).filter(({ path }) => !listed.has(path));
    },
    isByModel: isModel(context.env),
    warn: (message) => say(`warning: ${message}`),
  };
}

/** Prints what became of a memory: JSON, or its path for a program and words for a person. */
export function printChange(
  { name, type, scope, path }: MemoryFile,
  said: string,
  { json, ...more }: { readonly json: boolean | undefined; readonly [fact: string]: unknown },
): void {
  if (json) return outJson({ name, type, scope, path, ...more });
  outPath(path);
  say(said);
}

/** Has a running daemon follow up changes; returns the folders whose `MEMORY.md` it has written. */
export async function notifyDaemon(
  { cwd, paths }: CliContext,
  changed: readonly ChangedFolder[] = [],
): Promise<readonly string[]> {
  const options = { socket: paths.socket, timeoutMs: TIMEOUT_MS };
  const files = changed.map(({ folder, paths }) => ({ folder: folder.path, paths }));
  const reply = await call("sync", { cwd, claude: paths.claude, changed: files }, options)
    .catch(() => undefined) as { readonly listed?: readonly string[] } | undefined;
  return reply?.listed ?? []; // a daemon of an older build says nothing
}
