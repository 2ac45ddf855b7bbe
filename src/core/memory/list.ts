import { messageOf } from "../../errors.ts";
import { changedAt, type Dated } from "./age.ts";
import { attributed, digestOf, isOwnContent, trusted } from "./trust.ts";
import type { MemoryFile, MemoryFolder, NameMatch, Scope } from "./memory.ts";
import {
  byPath,
  type ListedFile,
  readMemoryFile,
  type Unreadable,
  walkMemoryFiles,
} from "./folder.ts";
import { folded } from "../text/nearest.ts";
import { readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { offAt } from "./off.ts";
import { type Place, type Project, projectAt } from "./project.ts";
import { type Refused, settingsOf, sharedFolders } from "./scopes.ts";
import { createHash } from "node:crypto";
import { askGit } from "../files/git.ts";
import { withSlashes } from "../files/slashes.ts";

/** The memories of a folder. */
export interface FolderListing {
  readonly memories: readonly MemoryFile[];
  /** Files and folders that could not be read. */
  readonly failed: readonly Unreadable[];
}

/** Which memories of a folder are wanted; default: all in use, by path. */
export interface WantedMemories {
  /** Finds the files, in the order in which they are wanted. */
  readonly list?: (folder: MemoryFolder, unreadable: Unreadable[]) => readonly ListedFile[];
  readonly passes?: (memory: MemoryFile) => boolean;
  /** Only so many of them, those that were changed last, the last first. */
  readonly limit?: number | undefined;
  /** Those with none of these words may be left out. */
  readonly words?: ReadonlySet<string> | undefined;
  /** Those that this cannot stand for may be left out. */
  readonly named?: NameMatch | undefined;
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
  { list, passes = () => true, limit, words, named }: WantedMemories = {},
): FolderListing {
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

/** Which memories a command is about; a plain value, because it may go to the daemon. */
export interface Selection {
  readonly type?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly scope?: Scope | undefined;
  /** Last changed at this moment or later, and before that one, in milliseconds. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** Whether a memory is selected. */
export function isSelected(
  memory: Dated & Pick<MemoryFile, "type" | "tags" | "scope">,
  { type, tag, scope, since, before }: Selection,
): boolean {
  const tags = memory.tags.map(folded);
  return (type === undefined || type.map(folded).includes(folded(memory.type))) &&
    (tag === undefined || tag.every((wanted) => tags.includes(folded(wanted)))) &&
    (scope === undefined || memory.scope === scope) &&
    (since === undefined || changedAt(memory) >= since) &&
    (before === undefined || changedAt(memory) < before);
}

/** A file of memo's in a repository. */
export interface RepositoryFile {
  readonly path: string;
  readonly kind: "memory" | "settings";
  readonly name: string;
  readonly type?: string;
  readonly digest: string;
  readonly trusted: boolean;
}

/** All files of memo's in a repository. */
export interface RepositoryFiles {
  readonly project: Project;
  readonly files: readonly RepositoryFile[];
  readonly refused: readonly Refused[];
}

/** The memories and settings of the repository at a place; undefined outside any project. */
export function repositoryFiles(place: Place): RepositoryFiles | undefined {
  const project = offAt(place) === undefined ? projectAt(place) : undefined;
  if (project === undefined) return undefined;
  const { folders, refused } = sharedFolders(project, place);
  const contents = trusted({ file: place.trust, project: project.root });
  const files = folders.flatMap((folder) => readMemories(folder).memories)
    .map(({ path, name, type, digest = "" }): RepositoryFile => ({
      ...{ path, kind: "memory", name, type, digest },
      trusted: contents.has(digest),
    }));
  const { path, refused: other } = settingsOf(project, place);
  if (path !== undefined) {
    const digest = digestOf(readFileSync(path)), trusted = contents.has(digest);
    files.push({ path, kind: "settings", name: basename(path), digest, trusted });
  }
  return { project, files, refused: other === undefined ? refused : [...refused, other] };
}

// When a file was last committed: after `git clone` every file on disk has today's date.
/**
 * The ISO dates of the last commits of files in a folder, by absolute path. Files with uncommitted changes
 * are left out, because their time on disk is right. Never rejects; without git or a repository there are no dates.
 */
export async function commitDates(
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (files.length === 0) return new Map();
  const ask = (...args: string[]) => askGit(folder, args);
  const committed = blobsIn(await ask("ls-tree", "-r", "-z", "HEAD", "."));
  const wanted = new Map(
    files.map((path) => [withSlashes(relative(folder, path)), path] as const)
      .filter(([name, path]) => isCommitted(path, committed.get(name))),
  );
  if (wanted.size === 0) return new Map();
  const log = await ask("log", "--format=%x01%aI", "--name-only", "--relative", "--", ".");
  return datesIn(log, wanted);
}

/** Path → object id, of `ls-tree -z`. */
function blobsIn(listing: string): Map<string, string> {
  return new Map(
    listing.split("\0").flatMap((line) => {
      const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return id === undefined ? [] : [[path!, id] as const];
    }),
  );
}

function isCommitted(path: string, id: string | undefined): boolean {
  if (id === undefined) return false;
  try {
    const bytes = readFileSync(path);
    const hash = createHash(id.length === 40 ? "sha1" : "sha256");
    return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === id;
  } catch {
    return false;
  }
}

/** The first date under which each wanted name is listed: the log begins with the newest commit. */
function datesIn(log: string, wanted: ReadonlyMap<string, string>): Map<string, string> {
  const dates = new Map<string, string>();
  for (const commit of log.split("\u0001").slice(1)) {
    const [date, ...names] = commit.split("\n");
    for (const name of names) {
      const path = wanted.get(name);
      if (path !== undefined && !dates.has(path)) dates.set(path, date!);
    }
  }
  return dates;
}

/** What a line of `MEMORY.md` says of a memory. */
export type IndexLine = Pick<MemoryFile, "path" | "name" | "description" | "tags">;

/** The memories of a folder that have a line, newest first. */
export interface IndexLines {
  /** All of them, or the first `MOST_LISTED`. */
  readonly memories: readonly IndexLine[];
  /** How many there are. */
  readonly total: number;
}

/** `MEMORY.md` never has more lines of memories. */
export const MOST_LISTED = 199;
