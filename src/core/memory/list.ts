import { messageOf } from "../../errors.ts";
import { changedAt, type Dated } from "./age.ts";
import { attributed } from "./attributed.ts";
import { commitDates } from "./commit_dates.ts";
import type { MemoryFile, MemoryFolder, Named } from "./memory.ts";
import {
  byPath,
  type ListedFile,
  readMemoryFile,
  type Unreadable,
  walkMemoryFiles,
} from "./folder.ts";
import { isOwnContent } from "./trust.ts";

/** The memories of a folder. */
export interface Listing {
  readonly memories: readonly MemoryFile[];
  /** Files and folders that could not be read. */
  readonly failed: readonly Unreadable[];
}

/** Which memories of a folder are wanted; default: all in use, by path. */
export interface Wanted {
  /** Finds the files, in the order in which they are wanted. */
  readonly list?: (folder: MemoryFolder, unreadable: Unreadable[]) => readonly ListedFile[];
  readonly passes?: (memory: MemoryFile) => boolean;
  /** Only so many of them, those that were changed last, the last first. */
  readonly limit?: number | undefined;
  /** Those with none of these words may be left out. */
  readonly words?: ReadonlySet<string> | undefined;
  /** Those that this cannot stand for may be left out. */
  readonly named?: Named | undefined;
}

/** The folders that this process has changed: what the index had before is not all there is. */
const changed = new Set<string>();

/** Has a folder's files compared with the index from now on, which may not have them yet. */
export function noteChanged({ path }: MemoryFolder): void {
  changed.add(path);
}

/**
 * The memories of a folder; an unreadable one does not hide the others. Only those files are read which the index does
 * not know as they are, and with a limit only so much is taken from it.
 */
export function readMemories(
  folder: MemoryFolder,
  { list, passes = () => true, limit, words, named }: Wanted = {},
): Listing {
  const failed: Unreadable[] = [];
  const known = list === undefined ? folder.known : undefined;
  const isCurrent = !changed.has(folder.path) && known?.isCurrent(folder) === true;
  const listed = isCurrent ? [] : (list ?? walkMemoryFiles)(folder, failed);
  const files = isCurrent ? undefined : known?.files(folder);
  const isSame = (file: ListedFile, { mtimeMs, size }: Omit<ListedFile, "path">) =>
    file.mtimeMs === mtimeMs && file.size === size;
  const same = new Map<string, ListedFile>();
  const unread: Pick<ListedFile, "path">[] = isCurrent
    ? known!.others(folder).map((path) => ({ path }))
    : [];
  for (const file of listed) {
    const before = files?.get(file.path);
    if (before !== undefined && isSame(file, before)) same.set(file.path, file);
    else unread.push(file);
  }
  const memories: MemoryFile[] = [];
  const take = (memory: MemoryFile) => {
    const isBare = folder.scope !== "auto" && !isOwnContent(folder, memory.digest);
    const counted = isBare ? memory : attributed(memory, folder);
    if (passes(counted)) memories.push(counted);
  };
  const asked = { isNewestFirst: limit !== undefined, words, named };
  for (const memory of known?.memories(folder, asked) ?? []) {
    const file = same.get(memory.path);
    if (file === undefined && !isCurrent) continue; // it is gone, or has changed
    if (file === undefined || isSame(file, memory)) take(memory);
    else unread.push(file); // while we looked
    if (memories.length === limit) break;
  }
  if (list === undefined) unread.sort(byPath);
  for (const { path } of unread) {
    try {
      take(readMemoryFile(path, folder.scope));
    } catch (error) {
      failed.push({ path, because: messageOf(error) });
    }
  }
  if (limit !== undefined) {
    return { memories: sortedNewestFirst(memories, (memory) => memory).slice(0, limit), failed };
  }
  if (known !== undefined) memories.sort(byPath);
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

/** Items with memories, ordered by time of last change, then by path. */
export function sortedNewestFirst<T>(
  items: readonly T[],
  memoryOf: (item: T) => Dated & Pick<MemoryFile, "path">,
): T[] {
  const dated = items.map((item) => ({
    item,
    path: memoryOf(item).path,
    at: changedAt(memoryOf(item)),
  }));
  return dated.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1)).map(({ item }) => item);
}

/** The order of two memories by time of last change, then by path. */
export function newestFirst(
  a: Dated & Pick<MemoryFile, "path">,
  b: Dated & Pick<MemoryFile, "path">,
): number {
  return changedAt(b) - changedAt(a) || (a.path < b.path ? -1 : 1);
}
