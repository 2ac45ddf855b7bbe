// Writes and removes memory files: each change keeps the version that it replaces and leaves a line in the folder's log.
// Only this folder calls these functions.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { createFileAtomic, moveToFree, writeFileAtomic } from "../files/atomic.ts";
import { realPathOf } from "../files/real_path.ts";
import {
  archivedName,
  archiveFor,
  archiveOf,
  relativePathOf,
  versionOf,
} from "../ledger/archive.ts";
import {
  type ChangeKind,
  type LogEntry,
  logged,
  type MemoryVersion,
} from "../ledger/change_log.ts";
import { memoryIn, parseMemory } from "../memory/file.ts";
import { makeFolder, refuseLink, refuseOutside } from "../memory/folder.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { fileName, freeName } from "../memory/title.ts";
import { digestOf } from "../memory/trust.ts";
import type { FileContent } from "./change.ts";

/** How a change is logged. */
export interface ChangeOptions extends Pick<LogEntry, "group" | "undoes" | "because"> {
  readonly what: ChangeKind;
  readonly now: Date;
  /** Whether the log has the change already. */
  readonly isLogged?: boolean | undefined;
}

/** Writes a new memory file with exactly this text, with a number if its name is taken, and returns its path. */
export function create(
  name: string,
  text: FileContent,
  folder: MemoryFolder,
  options: ChangeOptions & { readonly modified?: Date | undefined },
): string {
  return attempt(`write a memory to \`${folder.path}\``, () => {
    makeFolder(folder);
    const after = digestOf(text);
    const at = join(folder.path, name);
    if (dirname(at) !== folder.path) {
      mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
      refuseOutside(at, folder.path);
    }
    return claim(dirname(at), basename(at), (path) => {
      log({ ...entryFor(text, path, folder, options), after }, folder, options, () => {
        createFileAtomic(path, text);
        if (options.modified !== undefined) utimesSync(path, options.modified, options.modified);
      });
    });
  });
}

/** Replaces a memory file with exactly this text, and returns the version before in the archive, if it differs. */
export function rewrite(
  path: string,
  text: FileContent,
  folder: MemoryFolder,
  options: ChangeOptions,
): string | undefined {
  return attempt(`write a memory to \`${folder.path}\``, () => {
    refuseOutside(path, folder.path);
    const prior = readFileSync(path);
    const digest = digestOf(prior);
    const after = digestOf(text);
    if (digest === after) return undefined;
    const archived = folder.scope === "auto" ? undefined : keep(path, prior, folder, options.now);
    const before: MemoryVersion | undefined = archived === undefined
      ? undefined
      : { digest, archived: relativePathOf(archived, archiveOf(folder)) };
    log(
      { ...entryFor(text, path, folder, options), before, after },
      folder,
      options,
      () => writeFileAtomic(path, text, { onReady: () => refuseChanged(path, digest) }),
    );
    return archived;
  });
}

/** Throws if somebody has changed a file since it was read: an editor takes no lock. */
function refuseChanged(path: string, digest: string): void {
  if (existsSync(path) && digestOf(readFileSync(path)) === digest) return;
  throw new MemoError("file", `Cannot change \`${path}\`: it changed while memo was writing`, {
    hint: "Run the command again",
  });
}

/** Rewrites a memory without a copy of the version before, and returns its path: the old one may be named after a secret. */
export function redact(
  path: string,
  text: string,
  folder: MemoryFolder,
  options: ChangeOptions,
): string {
  return attempt(`redact \`${path}\``, () => {
    refuseOutside(path, folder.path);
    const digest = digestOf(readFileSync(path));
    const after = redactedPath(path, text);
    const entry = entryFor(text, after, folder, options);
    logged(folder, entry, () => redactVersion(path, text, () => refuseChanged(path, digest)));
    return after;
  });
}

/** Moves a memory into the folder's archive and returns its new path. */
export function archive(path: string, folder: MemoryFolder, options: ChangeOptions): string {
  return attempt(`archive \`${path}\``, () => {
    refuseOutside(path, folder.path);
    const bytes = readFileSync(path);
    const digest = digestOf(bytes);
    const copy = options.isLogged ? versionOf(path, digest, folder) : undefined;
    if (copy !== undefined) { // it has come in, too
      rmSync(path);
      return copy;
    }
    return claim(archivePlace(path, folder), archivedName(path, options.now), (archived) => {
      const before: MemoryVersion = {
        archived: relativePathOf(archived, archiveOf(folder)),
        digest,
      };
      logged(
        folder,
        { ...entryFor(bytes, path, folder, options), before },
        () => move(path, archived),
      );
    });
  });
}

/** Keeps a version in the archive, unless it is there already, and returns its path in it. */
function keep(path: string, bytes: Uint8Array, folder: MemoryFolder, now: Date): string {
  const place = archivePlace(path, folder);
  const known = versionOf(path, digestOf(bytes), folder);
  if (known !== undefined) return known;
  const { mtime } = statSync(path);
  return claim(place, archivedName(path, now), (archived) => {
    createFileAtomic(archived, bytes);
    utimesSync(archived, mtime, mtime);
  });
}

/** The folder in the archive for a memory; it is made. */
function archivePlace(path: string, folder: MemoryFolder): string {
  refuseLink(archiveOf(folder));
  const place = archiveFor(path, folder);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return place;
}

function log(
  entry: Omit<LogEntry, "id">,
  folder: MemoryFolder,
  { isLogged }: ChangeOptions,
  make: () => void,
): void {
  if (isLogged) make();
  else logged(folder, entry, make);
}

function entryFor(
  text: FileContent,
  path: string,
  folder: MemoryFolder,
  { what, now, group, undoes, because }: ChangeOptions,
): Omit<LogEntry, "id"> {
  const { name, type, source } = memoryIn(text, path);
  const { session, turn } = source ?? {};
  const file = relativePathOf(
    join(realPathOf(dirname(path)), basename(path)),
    realPathOf(folder.path),
  );
  return { at: now.toISOString(), what, name, type, file, session, turn, group, undoes, because };
}

function move(from: string, to: string): void {
  try {
    moveToFree(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    createFileAtomic(to, readFileSync(from));
    rmSync(from);
  }
}

/**
 * Makes a free path in the folder: the name, or the name with a number. `make` throws `EEXIST` if another process was
 * faster.
 */
function claim(folder: string, name: string, make: (path: string) => void): string {
  const isTaken = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  for (;;) {
    const path = freeName(join(folder, name), isTaken);
    try {
      make(path);
      return path;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

function attempt<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoError) throw error;
    throw new MemoError("file", `Cannot ${what}: ${messageOf(error)}`, {
      hint: "Check that the folder is writable and the disk is not full",
      cause: error,
    });
  }
}

/** Makes the folder of a file; no name that a remote or an export has leads out of the memory folder. */
export function makeFolderOf(path: string, folder: MemoryFolder): void {
  makeFolder(folder);
  for (let at = dirname(path); at.length >= folder.path.length; at = dirname(at)) refuseLink(at);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  refuseOutside(path, folder.path);
}

/** Rewrites a version in the archive without its secrets. */
export function redactVersion(path: string, text: string, onReady?: () => void): void {
  const after = redactedPath(path, text);
  writeFileAtomic(path, text, { ...onReady !== undefined && { onReady } });
  if (after !== path) renameSync(path, after);
}

/** The path of a memory after redaction: a free one that is made of its name, if that had a secret in it. */
function redactedPath(path: string, text: string): string {
  const { memory: { name, type } } = parseMemory(text, { fallbackName: "" });
  const free = join(dirname(path), fileName(type, name));
  const isMade = basename(path).startsWith(`${type}_`) && name.includes("[redacted:");
  return isMade && !existsSync(free) ? free : path;
}
