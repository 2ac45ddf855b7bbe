// The one place where memories are written: each change keeps the version that it replaces and leaves a line in the
// folder's log.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, MemoError, messageOf } from "../errors.ts";
import { freeNumber } from "../files/free_number.ts";
import { createFileAtomic, moveToFree, writeFileAtomic } from "../files/atomic.ts";
import { realPathOf } from "../files/real_path.ts";
import { archivedName, archiveFor, archiveOf, originalPath, versionOf, wayTo } from "./archive.ts";
import { type Change, type ChangeKind, logged, type Version } from "./change_log.ts";
import { parseMemory, serializeMemory } from "./file.ts";
import { refuseLink, refuseOutside } from "./folder.ts";
import type { Memory, MemoryFolder } from "./memory.ts";
import { makeProjectFolder } from "./project.ts";
import { fileName } from "./slug.ts";
import { digestOf } from "./trust.ts";

export { listArchive, originalName } from "./archive.ts";
export {
  byPath,
  findMemoryFiles,
  INDEX_FILE,
  JOURNAL,
  type ListedFile,
  listMemoryFiles,
  readMemoryFile,
  refuseOutside,
  type Unreadable,
} from "./folder.ts";

/** How a change is logged. */
export interface ChangeOptions extends Pick<Change, "group" | "undoes" | "because"> {
  readonly what: ChangeKind;
  readonly now: Date;
  /** Whether the log has the change already: it has come in by a sync, with its log. */
  readonly isLogged?: boolean;
}

export interface WriteOptions extends Partial<ChangeOptions> {
  /** The file that the memory replaces; default: a new one. */
  readonly replaces?: string;
  /** A text whose unknown keys and comments are kept; default: that of `replaces`. */
  readonly original?: string;
  /** The version to keep, if the file has been changed already. */
  readonly prior?: Uint8Array;
}

/**
 * Writes a memory into a folder and returns its path: `{type}_{slug}.md`, with a number where another memory has
 * that name, or the place of the file it `replaces`, whose unknown keys and comments survive.
 */
export function writeMemory(
  memory: Memory,
  folder: MemoryFolder,
  options: WriteOptions = {},
): string {
  const { replaces, original, now = new Date() } = options;
  if (replaces === undefined) {
    const text = serializeMemory(memory, original);
    return create(fileName(memory.type, memory.name), text, folder, {
      what: "add",
      ...options,
      now,
    });
  }
  return attempt(`write a memory into \`${folder.path}\``, () => {
    refuseOutside(replaces, folder.path);
    const before = original ?? (existsSync(replaces) ? readFileSync(replaces, "utf8") : undefined);
    const text = serializeMemory(memory, before);
    return rewrite(replaces, text, folder, { what: "edit", ...options, now });
  });
}

/** Writes a new memory file with exactly this text, with a number if its name is taken, and returns its path. */
export function create(
  name: string,
  text: string | Uint8Array,
  folder: MemoryFolder,
  options: ChangeOptions & { readonly modified?: Date },
): string {
  return attempt(`write a memory into \`${folder.path}\``, () => {
    makeFolder(folder);
    const after = digestOf(text);
    const at = join(folder.path, name);
    if (dirname(at) !== folder.path) {
      mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
      refuseOutside(at, folder.path);
    }
    return claim(dirname(at), basename(at), (path) => {
      logged(folder, { ...told(text, path, folder, options), after }, () => {
        createFileAtomic(path, text);
        if (options.modified !== undefined) utimesSync(path, options.modified, options.modified);
      });
    });
  });
}

/** Replaces a memory file, or makes it, with exactly this text; the version before goes to the archive. */
export function rewrite(
  path: string,
  text: string | Uint8Array,
  folder: MemoryFolder,
  options: ChangeOptions & Pick<WriteOptions, "prior">,
): string {
  return attempt(`write a memory into \`${folder.path}\``, () => {
    makeFolder(folder);
    refuseOutside(path, folder.path);
    const { prior = existsSync(path) ? readFileSync(path) : undefined, now } = options;
    const after = digestOf(text);
    const digest = prior && digestOf(prior);
    if (digest === after) return path;
    const before = prior && folder.scope !== "auto"
      ? { digest: digest!, archived: keep(path, prior, folder, now) }
      : undefined;
    const write = () => writeFileAtomic(path, text);
    if (options.isLogged) write();
    else logged(folder, { ...told(text, path, folder, options), before, after }, write);
    return path;
  });
}

/** Makes a memory folder, and records the owner of a project's private one. */
export function makeFolder({ path, scope, project }: MemoryFolder): void {
  if (scope === "project" && project !== undefined) makeProjectFolder(path, project);
  else mkdirSync(path, { recursive: true, mode: 0o700 });
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
      const before: Version = { archived: wayTo(archived, archiveOf(folder)), digest };
      if (options.isLogged) return move(path, archived);
      logged(folder, { ...told(bytes, path, folder, options), before }, () => move(path, archived));
    });
  });
}

/** Copies a memory from the folder's archive to its former path, or to a free one beside it, and returns that. */
export function restore(
  archived: string,
  folder: MemoryFolder,
  options: ChangeOptions & {
    /** Whether it replaces the memory that is there now. */
    readonly inPlace?: boolean;
  },
): string {
  return attempt(`restore \`${archived}\``, () => {
    const place = archiveOf(folder);
    refuseLink(place);
    refuseOutside(archived, place);
    const bytes = readFileSync(archived);
    const path = originalPath(archived, folder);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    refuseOutside(path, folder.path);
    if (options.inPlace) return rewrite(path, bytes, folder, options);
    const modified = statSync(archived).mtime; // the age of a memory without a date
    return create(wayTo(path, folder.path), bytes, folder, { ...options, modified });
  });
}

/** Keeps a version in the archive, unless it is there already, and returns its path in it. */
function keep(path: string, bytes: Uint8Array, folder: MemoryFolder, now: Date): string {
  const root = archiveOf(folder);
  const place = archivePlace(path, folder);
  const known = versionOf(path, digestOf(bytes), folder);
  if (known !== undefined) return wayTo(known, root);
  const { mtime } = statSync(path);
  const archived = claim(place, archivedName(path, now), (archived) => {
    createFileAtomic(archived, bytes);
    utimesSync(archived, mtime, mtime);
  });
  return wayTo(archived, root);
}

/** The folder in the archive for a memory; it is made. */
function archivePlace(path: string, folder: MemoryFolder): string {
  refuseLink(archiveOf(folder));
  const place = archiveFor(path, folder);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return place;
}

/** What the log says of a memory with this text. */
function told(
  text: string | Uint8Array,
  path: string,
  folder: MemoryFolder,
  { what, now, group, undoes, because }: ChangeOptions,
): Omit<Change, "id"> {
  const whole = typeof text === "string" ? text : new TextDecoder().decode(text);
  const { memory } = parseMemory(whole, { fallbackName: basename(path, ".md") });
  const { name, type, source } = memory;
  const { session, turn } = source ?? {};
  const file = wayTo(join(realPathOf(dirname(path)), basename(path)), realPathOf(folder.path));
  return { at: now.toISOString(), what, name, type, file, session, turn, group, undoes, because };
}

/** Moves a file to a free path, across file systems too. */
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
  const stem = name.replace(/\.md$/, "");
  const numbered = (n: number) => join(folder, n === 1 ? name : `${stem}-${n}.md`);
  const isTaken = (n: number) => lstatSync(numbered(n), { throwIfNoEntry: false }) !== undefined;
  for (;;) {
    const path = numbered(freeNumber(isTaken));
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
