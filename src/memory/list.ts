import { messageOf } from "../errors.ts";
import { changedAt } from "./age.ts";
import type { MemoryFile, MemoryFolder } from "./memory.ts";
import { type ListedFile, listMemoryFiles, readMemoryFile } from "./store.ts";

/** The memories of a folder. */
export interface Listing {
  readonly memories: readonly MemoryFile[];
  /** Files that could not be read. */
  readonly failed: readonly { readonly path: string; readonly because: string }[];
}

/** Reads every memory that `list` finds in a folder, in its order; one that cannot be read does not hide the others. */
export function readMemories(
  folder: MemoryFolder,
  list: (folder: MemoryFolder) => readonly ListedFile[] = listMemoryFiles,
): Listing {
  const memories: MemoryFile[] = [];
  const failed: { path: string; because: string }[] = [];
  for (const { path } of list(folder)) {
    try {
      memories.push(readMemoryFile(path, folder.scope));
    } catch (error) {
      failed.push({ path, because: messageOf(error) });
    }
  }
  return { memories, failed };
}

/** Orders memories by time of last change, those of the same moment by path. */
export function newestFirst(a: MemoryFile, b: MemoryFile): number {
  return changedAt(b) - changedAt(a) || (a.path < b.path ? -1 : 1);
}
