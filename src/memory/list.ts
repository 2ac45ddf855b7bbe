import { messageOf } from "../errors.ts";
import { changedAt, type Dated } from "./age.ts";
import { attributed } from "./attributed.ts";
import { commitDates } from "./commit_dates.ts";
import type { MemoryFile, MemoryFolder } from "./memory.ts";
import { type ListedFile, listMemoryFiles, readMemoryFile, type Unreadable } from "./folder.ts";

/** The memories of a folder. */
export interface Listing {
  readonly memories: readonly MemoryFile[];
  /** Files and folders that could not be read. */
  readonly failed: readonly Unreadable[];
}

/** Reads every memory that `list` finds in a folder, in its order; an unreadable one does not hide the others. */
export function readMemories(
  folder: MemoryFolder,
  list: (folder: MemoryFolder, unreadable: Unreadable[]) => readonly ListedFile[] = listMemoryFiles,
): Listing {
  const memories: MemoryFile[] = [];
  const failed: Unreadable[] = [];
  for (const { path } of list(folder, failed)) {
    try {
      const memory = readMemoryFile(path, folder.scope);
      memories.push(folder.scope === "auto" ? attributed(memory, folder) : memory);
    } catch (error) {
      failed.push({ path, because: messageOf(error) });
    }
  }
  return { memories, failed };
}

/** Shared memories, with `created` filled in from git if their files have no date. */
export async function withCommitDates(
  folder: MemoryFolder,
  memories: readonly MemoryFile[],
): Promise<MemoryFile[]> {
  const undated = folder.scope === "shared" ? memories.filter(isUndated) : [];
  const dates = await commitDates(folder.path, undated.map(({ path }) => path));
  return memories.map((memory) => {
    const created = dates.get(memory.path);
    return created === undefined || !isUndated(memory) ? memory : { ...memory, created };
  });
}

function isUndated({ created, updated }: MemoryFile): boolean {
  return created === undefined && updated === undefined;
}

/** Orders memories by time of last change, then by path. */
export function newestFirst(
  a: Dated & Pick<MemoryFile, "path">,
  b: Dated & Pick<MemoryFile, "path">,
): number {
  return changedAt(b) - changedAt(a) || (a.path < b.path ? -1 : 1);
}
