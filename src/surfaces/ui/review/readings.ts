import { statsOf } from "../../../core/files/stats.ts";
import { memoryNow } from "../../../core/memory/folder.ts";
import type { MemoryFile, MemoryFolder } from "../../../core/memory/memory.ts";
import type { CallContext } from "../calls/call.ts";

interface Reading {
  /** The file's time and size. */
  readonly stamp: string;
  readonly memory: MemoryFile | undefined;
}

/** What was read for the last answer, by path. */
const kept = new WeakMap<CallContext["engine"], Map<string, Reading>>();

/**
 * Reads memory files for one answer, undefined for one that is gone: the page asks again and again while memories are
 * compared, and a file that has not changed since the last answer is not read again.
 */
export function readAgain(
  { engine }: CallContext,
): (path: string, folder: MemoryFolder) => MemoryFile | undefined {
  const before = kept.get(engine), now = new Map<string, Reading>();
  kept.set(engine, now);
  return (path, folder) => {
    const { ino, size, mtimeMs } = statsOf(path) ?? {};
    const stamp = `${ino} ${size} ${mtimeMs} ${folder.scope}`;
    const known = now.get(path) ?? before?.get(path);
    const reading = known?.stamp === stamp
      ? known
      : { stamp, memory: memoryNow(path, folder.scope) };
    now.set(path, reading);
    return reading.memory;
  };
}
