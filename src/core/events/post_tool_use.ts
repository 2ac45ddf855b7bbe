import { isAbsolute, relative, resolve } from "node:path";
import type { HookOutput } from "../../../hooks/wire.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { type EventContext, type HookEvent, SILENT } from "./event.ts";

/**
 * A tool has run: if it wrote a memory, updates index and `MEMORY.md` in the background; if it started a subagent, assigns the
 * task to that subagent.
 */
export function postToolUse(
  { file, call, agent, cwd }: HookEvent<"PostToolUse">,
  context: EventContext,
): Promise<HookOutput> {
  if (call !== undefined && agent !== undefined) context.tasks.join(call, agent);
  const path = file && resolve(cwd, file);
  if (path !== undefined) {
    for (const folder of context.folders) {
      if (!isInside(path, folder)) continue;
      const warn = (failed: string) => context.log("index file", { failed });
      context.follow([{ folder, paths: [path] }], warn).catch(() => {}); // the engine logs failures
    }
  }
  return Promise.resolve(SILENT);
}

function isInside(path: string, folder: MemoryFolder): boolean {
  const way = relative(folder.path, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}
