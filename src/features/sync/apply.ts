// Writes what a sync has brought into the folders. A file that is not as it was scanned is merged once more; a memory
// that is replaced or deleted goes to the archive, as with any other change.

import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import { blobId } from "../../core/files/git.ts";
import type { ChangedFolder } from "../../core/change/follow.ts";
import {
  archiveIncoming,
  removeCopied,
  rewriteIncoming,
  writeKept,
} from "../../core/change/incoming.ts";
import { archivedName } from "../../core/ledger/archive.ts";
import { type LogEntry, logged, parseChanges } from "../../core/ledger/change_log.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { conflict, isRedacted } from "./keep.ts";
import type { Erased } from "./losses.ts";
import { ARCHIVE, isAppendOnly, isLive, LOG, mergeFile, PROJECT_FILE } from "./portable.ts";
import { placeOf, type Tree } from "./merge_trees.ts";
import type { Synced } from "./projects.ts";
import type { Repository } from "./repository.ts";
import { readNote, tooLarge, type WithheldFile } from "./scan.ts";

/** What was written. */
export interface Applied {
  readonly received: number;
  readonly changed: readonly ChangedFolder[];
  readonly failed: readonly WithheldFile[];
  /** What is on disk now. */
  readonly disk: Tree;
}

export interface ApplyOptions {
  readonly repository: Repository;
  readonly isErased: Erased;
  readonly now: Date;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A file that differs from what was scanned. */
interface Incoming {
  readonly name: string;
  readonly path: string;
  /** Its path in the folder. */
  readonly relativePath: string;
  readonly folder: MemoryFolder;
  /** As it was scanned, and as it is to be; undefined: there is none. */
  readonly base: string | undefined;
  readonly theirs: string | undefined;
}

/** Brings the folders from what was scanned to the merged tree. */
export async function apply(
  folders: readonly Synced[],
  { disk, after }: { readonly disk: Tree; readonly after: Tree },
  options: ApplyOptions,
): Promise<Applied> {
  const { repository, onProgress } = options;
  const incoming = incomingOf(folders, { disk, after });
  const changed = new Map<MemoryFolder, string[]>();
  const failed: WithheldFile[] = [];
  const written = new Map(disk);
  const copies = new Map<string, number>(); // how many files have a content
  const count = (id: string | undefined, more: number) =>
    id === undefined || copies.set(id, (copies.get(id) ?? 0) + more);
  for (const id of written.values()) count(id, 1);
  const changes = changesBy(repository, { disk, after });
  let received = 0;
  const wanted = incoming.map(({ name, theirs }) =>
    theirs === undefined || repository.isTooLarge(name, theirs) ? "" : theirs
  );
  let ahead = 0;
  for (const [i, file] of incoming.entries()) {
    const { name, path, folder, relativePath, theirs } = file;
    onProgress?.(i, incoming.length);
    try {
      if (theirs !== undefined && repository.isTooLarge(name, theirs)) {
        throw new Error(tooLarge(repository.sizeOf(theirs), relativePath));
      }
      if (i >= ahead) ahead = i + await repository.readAhead(wanted.slice(i));
      const isKept = file.base !== undefined &&
        (copies.get(file.base) ?? 0) > (written.get(name) === file.base ? 1 : 0);
      const about = { isKept, changes: await changes(placeOf(name).place) };
      const names = await applyFile(file, { ...options, ...about });
      if (names.length > 0) {
        received++;
        const live = names.filter(isLive);
        if (!changed.has(folder)) changed.set(folder, []);
        changed.get(folder)!.push(...live.map((name) => join(folder.path, name)));
      }
      count(written.get(name), -1);
      count(theirs, 1);
      if (theirs === undefined) written.delete(name);
      else written.set(name, theirs);
    } catch (error) {
      failed.push({ path, because: messageOf(error) }); // it stays as it was, here and elsewhere
    }
  }
  const followed = [...changed].map(([folder, paths]) => ({ folder, paths }));
  return { received, changed: followed, failed, disk: written };
}

/** What differs, new files first: what is replaced or deleted then has its copy in the archive or under a new name. */
function incomingOf(
  folders: readonly Synced[],
  { disk, after }: { readonly disk: Tree; readonly after: Tree },
): Incoming[] {
  const incoming: Incoming[] = [];
  for (const name of new Set([...disk.keys(), ...after.keys()])) {
    const { place, rest: relativePath } = placeOf(name);
    const folder = folders.find((each) => each.place === place)?.folder;
    const base = disk.get(name);
    const theirs = after.get(name);
    if (folder === undefined || relativePath === PROJECT_FILE || base === theirs) continue;
    incoming.push({
      name,
      path: join(folder.path, relativePath),
      relativePath,
      folder,
      base,
      theirs,
    });
  }
  const rank = ({ relativePath, base, theirs }: Incoming) =>
    isAppendOnly(relativePath) ? 0 : base === undefined ? 1 : theirs === undefined ? 3 : 2;
  return incoming.sort((a, b) => rank(a) - rank(b));
}

/** The changes that the merged log of a place has, oldest first, and which of them are new here. */
function changesBy(
  repository: Repository,
  { disk, after }: { readonly disk: Tree; readonly after: Tree },
): (place: string) => Promise<Changes> {
  const byPlace = new Map<string, Promise<Changes>>();
  const read = async (tree: Tree, name: string) => {
    const id = tree.get(name);
    if (id === undefined || repository.isTooLarge(name, id)) return [];
    return parseChanges(await repository.readText(id));
  };
  const changesIn = async (name: string) => {
    const known = new Set((await read(disk, name)).map(({ id }) => id));
    const all = await read(after, name);
    return { all, fresh: all.filter(({ id }) => !known.has(id)) };
  };
  return (place) => {
    if (!byPlace.has(place)) byPlace.set(place, changesIn(`${place}/${LOG}`));
    return byPlace.get(place)!;
  };
}

interface Changes {
  readonly all: readonly LogEntry[];
  readonly fresh: readonly LogEntry[];
}

type FileOptions = ApplyOptions & {
  readonly changes: Changes;
  /** Whether another file has what was scanned. */
  readonly isKept: boolean;
};

/** Brings one file to its merged content; resolves with the files that have changed, by their paths in the folder. */
async function applyFile(file: Incoming, options: FileOptions): Promise<readonly string[]> {
  const { path, relativePath, base, theirs } = file;
  const { repository, now } = options;
  const bytes = readNote(path, relativePath);
  const present = bytes && blobId(bytes);
  if (present === theirs) return [];
  if (present === base) {
    if (theirs === undefined) await remove(file, options);
    else write(file, await repository.read(theirs), { bytes, ...options });
    return [relativePath];
  }
  const text = async (id: string | undefined) =>
    id === undefined ? undefined : await repository.readText(id);
  const ours = bytes?.toString("utf8");
  const other = await text(theirs);
  const merged = mergeFile(relativePath, { base: await text(base), ours, theirs: other });
  if (merged.text !== undefined && merged.text !== ours) {
    const isTwice = merged.kept !== undefined && merged.kept === ours;
    write(file, Buffer.from(merged.text), { bytes, isTwice, ...options });
  }
  const extra = merged.kept ?? merged.sibling;
  if (extra === undefined || extra === ours) return [relativePath]; // ours was archived when it was replaced
  const isEdit = merged.kept !== undefined;
  const archived = archivedName(relativePath, now);
  const beside = archived.replace(/md$/, `${blobId(Buffer.from(extra)).slice(0, 6)}.md`);
  const name = isEdit ? `${ARCHIVE}/${archived}` : beside;
  const content = Buffer.from(extra);
  const keep = () => writeKept(join(file.folder.path, name), content, file.folder);
  if (merged.note === undefined || merged.text === undefined) keep(); // a copy of the archive
  else {
    const current = Buffer.from(merged.text);
    const about = isEdit
      ? { file: relativePath, current, other: content, archived: name }
      : { file: name, current: content, beside: relativePath };
    logged(file.folder, conflict(about, now), keep);
  }
  return [relativePath, name];
}

/** Archives a memory that another machine has deleted, unless its copy is here, or it was erased for good. */
async function remove(
  { name, path, relativePath, folder, base }: Incoming,
  { isErased, isKept, now }: FileOptions,
): Promise<void> {
  if (isKept || await isErased(name, base!)) return removeCopied(path, folder);
  if (isAppendOnly(relativePath)) throw new Error("another machine has deleted it; it is kept");
  archiveIncoming(path, folder, now);
}

/** Writes a file; the version of a memory that it replaces goes to the archive. */
function write(
  file: Incoming,
  text: Uint8Array,
  { bytes, now, changes, isKept, isTwice = false }: FileOptions & {
    readonly bytes: Buffer | undefined;
    /** Whether what it replaces is the other one of two versions. */
    readonly isTwice?: boolean;
  },
): void {
  const { path, relativePath, folder, base } = file;
  const isSame = bytes !== undefined && blobId(bytes) === base;
  const isPlain = isAppendOnly(relativePath) || bytes === undefined ||
    changes.fresh.some(({ what, file }) => file === relativePath && what === "redact") ||
    isRedacted(changes.all, relativePath);
  if (isPlain || (isSame && isKept)) return writeKept(path, text, folder);
  const what = isTwice ? "conflict" : "sync";
  rewriteIncoming(path, text, folder, { what, now, isLogged: isSame });
}
