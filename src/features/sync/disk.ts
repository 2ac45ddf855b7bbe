// What is on disk, as trees, and what a sync has brought onto it. What cannot be read counts as it was: only a file that
// was here after the last sync, and is not here now in a folder that can be read, has been deleted. A file that is not as
// it was scanned is left to another round; a memory that is replaced or deleted goes to the archive.

import { lstatSync, readFileSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import { blobId } from "../../core/files/git.ts";
import { type FileTree, inPlace, placeOf } from "./merge_trees.ts";
import {
  isAppendOnly,
  isLive,
  limitOf,
  portableFiles,
  PROJECT_FILE,
  secretKindsIn,
  type Synced,
  type Unlisted,
} from "./portable.ts";
import { PIECE, type SyncRepository } from "./repository.ts";
import { join } from "node:path";
import {
  archiveIncoming,
  removeCopied,
  rewriteIncoming,
  writeKept,
} from "../../core/change/incoming.ts";
import type { Unreadable } from "../../core/memory/folder.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { changesOf, eachOnce, type IsErased, isRedacted } from "./losses.ts";

/** A file that stays as it is on this machine. */
export interface WithheldFile extends Unreadable {
  /** It seems to contain a secret: that is how it stays until the secret is taken out. */
  readonly hasSecret?: true;
}

/** The folders of this machine, now and after the last sync. */
export interface Scanned {
  /** What is there now; of what cannot be read or sent, what was there. */
  readonly disk: FileTree;
  /** What was there; nothing for a folder that is new, or of which nothing is left. */
  readonly was: FileTree;
  readonly heldBack: readonly WithheldFile[];
}

export interface ScanOptions {
  readonly repository: SyncRepository;
  /** The user's own patterns of secrets. */
  readonly patterns: readonly RegExp[];
  /** Sends files with secrets, too. */
  readonly anyway?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Reads the folders, and stores what is new in the repository. */
export async function scan(
  folders: readonly Synced[],
  last: FileTree,
  options: ScanOptions,
): Promise<Scanned> {
  const disk = new Map<string, string>();
  const was = new Map<string, string>();
  const heldBack: WithheldFile[] = [];
  for (const synced of folders) {
    const before = inPlace(last, synced.place);
    const now = await scanFolder(synced, before, { ...options, heldBack });
    for (const [relativePath, id] of now) disk.set(relativePath, id);
    // A folder of which nothing is left was emptied, made again or is not mounted: it comes back.
    if (![...before.keys()].some((relativePath) => now.has(relativePath))) continue;
    for (const [relativePath, id] of before) was.set(relativePath, id);
  }
  return { disk, was, heldBack };
}

async function scanFolder(
  { place, folder }: Synced,
  before: FileTree,
  options: ScanOptions & { readonly heldBack: WithheldFile[] },
): Promise<FileTree> {
  const { repository, heldBack, onProgress } = options;
  const unlisted: Unlisted[] = [];
  const files = portableFiles(folder, unlisted);
  const now = new Map<string, string>();
  const fresh = new Map<string, Uint8Array>();
  let size = 0;
  for (const [i, { relativePath, path }] of files.entries()) {
    onProgress?.(i, files.length);
    const name = `${place}/${relativePath}`;
    const known = before.get(name);
    try {
      const bytes = readNote(path, relativePath);
      if (bytes === undefined) continue; // deleted meanwhile
      const id = blobId(bytes);
      if (known !== id) {
        const kinds = options.anyway ? [] : await secretKindsIn(bytes, options.patterns);
        if (kinds.length > 0) {
          throw new SecretFound(`it seems to contain a secret (${kinds.join(", ")})`);
        }
        fresh.set(id, bytes);
        size += bytes.length;
      }
      now.set(name, id);
    } catch (error) {
      const because = messageOf(error);
      heldBack.push({ path, because, ...error instanceof SecretFound && { hasSecret: true } });
      if (known !== undefined) now.set(name, known);
    }
    if (size > PIECE) {
      await repository.store(fresh);
      fresh.clear();
      size = 0;
    }
  }
  await repository.store(fresh);
  for (const { relativePath: prefix, path, because } of unlisted) {
    heldBack.push({ path, because });
    for (const [name, id] of before) if (name.startsWith(`${place}/${prefix}`)) now.set(name, id);
  }
  return now;
}

/** The bytes of a file that may travel; undefined if there is none. Throws for anything else. */
export function readNote(path: string, relativePath: string): Buffer | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new Error("its path is not a file");
  if (stats.size > limitOf(relativePath)) throw new Error(tooLarge(stats.size, relativePath));
  return readFileSync(path);
}

/** Says that a file is too large. */
export function tooLarge(bytes: number, relativePath: string): string {
  const mega = (count: number) => `${Math.round(count / 1024 / 102.4) / 10} MB`;
  return `it is ${mega(bytes)}; the limit is ${mega(limitOf(relativePath))}`;
}

class SecretFound extends Error {}

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

/** Brings the folders from what was scanned to the merged tree, as far as nobody has edited their files since. */
export async function apply(
  folders: readonly Synced[],
  { disk, after }: { readonly disk: FileTree; readonly after: FileTree },
  { repository, isErased, now, onProgress }: {
    readonly repository: SyncRepository;
    readonly isErased: IsErased;
    readonly now: Date;
    readonly onProgress: ScanOptions["onProgress"];
  },
) {
  const incoming = incomingOf(folders, { disk, after });
  const changed = new Map<MemoryFolder, string[]>();
  const failed: WithheldFile[] = [];
  const written = new Map(disk);
  const copies = new Map<string, number>(); // how many files have a content
  const count = (id: string | undefined, more: number) =>
    id === undefined || copies.set(id, (copies.get(id) ?? 0) + more);
  for (const id of written.values()) count(id, 1);
  /** Whether secrets were taken out of a file, by what is new in the log, or lastly. */
  const redactedIn = eachOnce(async (place) => {
    const known = new Set((await changesOf(disk, place, repository)).map(({ id }) => id));
    const all = await changesOf(after, place, repository);
    const fresh = all.filter(({ id, what }) => what === "redact" && !known.has(id));
    return (file: string) => fresh.some((each) => each.file === file) || isRedacted(all, file);
  });
  const applyFile = async (
    { name, path, relativePath, folder, base, theirs }: Incoming,
    there: boolean,
  ) => {
    const isKept = base !== undefined &&
      (copies.get(base) ?? 0) > (written.get(name) === base ? 1 : 0);
    if (theirs === undefined) {
      if (isKept || await isErased(name, base!)) removeCopied(path, folder);
      else if (!isAppendOnly(relativePath)) archiveIncoming(path, folder, now);
      else throw new Error("deleted on another machine; kept here");
      return;
    }
    const text = await repository.read(theirs);
    const isPlain = isKept || !there || isAppendOnly(relativePath) ||
      (await redactedIn(placeOf(name).place))(relativePath);
    if (isPlain) writeKept(path, text, folder);
    else rewriteIncoming(path, text, folder, now);
  };
  let received = 0;
  let isStale = false;
  const wanted = incoming.map(({ name, theirs }) =>
    theirs === undefined || repository.isTooLarge(name, theirs) ? "" : theirs
  );
  let ahead = 0;
  for (const [i, file] of incoming.entries()) {
    const { name, path, folder, relativePath, base, theirs } = file;
    onProgress?.(i, incoming.length);
    try {
      if (theirs !== undefined && wanted[i] === "") {
        throw new Error(tooLarge(repository.sizeOf(theirs), relativePath));
      }
      if (i >= ahead) ahead = i + await repository.readAhead(wanted.slice(i));
      const bytes = readNote(path, relativePath);
      const present = bytes && blobId(bytes);
      if (present !== theirs && present !== base) {
        isStale = true;
        continue;
      }
      if (present !== theirs) {
        await applyFile(file, bytes !== undefined);
        received++;
        if (!changed.has(folder)) changed.set(folder, []);
        if (isLive(relativePath)) changed.get(folder)!.push(path);
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
  return { received, changed: followed, failed, disk: written, isStale };
}

/** What differs, new files first: what is replaced or deleted then has its copy in the archive or under a new name. */
function incomingOf(
  folders: readonly Synced[],
  { disk, after }: { readonly disk: FileTree; readonly after: FileTree },
): Incoming[] {
  const incoming: Incoming[] = [];
  for (const name of new Set([...disk.keys(), ...after.keys()])) {
    const { place, rest: relativePath } = placeOf(name);
    const folder = folders.find((each) => each.place === place)?.folder;
    const base = disk.get(name);
    const theirs = after.get(name);
    if (folder === undefined || relativePath === PROJECT_FILE || base === theirs) continue;
    const path = join(folder.path, relativePath);
    incoming.push({ name, path, relativePath, folder, base, theirs });
  }
  const rank = ({ relativePath, base, theirs }: Incoming) =>
    isAppendOnly(relativePath) ? 0 : base === undefined ? 1 : theirs === undefined ? 3 : 2;
  return incoming.sort((a, b) => rank(a) - rank(b));
}
