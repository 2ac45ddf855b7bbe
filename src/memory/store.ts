import {
  closeSync,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { codeOf, MemoError, messageOf } from "../errors.ts";
import { createFileAtomic, moveToFree, writeFileAtomic } from "../files/atomic.ts";
import { parseMemory, serializeMemory } from "./file.ts";
import type { Memory, MemoryFile, MemoryFolder, Problem, Scope } from "./memory.ts";
import { makeProjectFolder, PROJECTS } from "./project.ts";
import { digestOf } from "./trust.ts";
import { fileName } from "./slug.ts";
import { statsOf } from "../files/stats.ts";

/** A file that may hold a memory, as listed in its folder. */
export interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The generated overview of a memory folder, which is not a memory itself. */
export const INDEX_FILE = "MEMORY.md";
/** The folder of superseded, forgotten and merged memories. */
const ARCHIVE = ".archive";
/** The folder of the journal, beside the memories. */
export const JOURNAL = "journal";
/** Maximum depth of folders to search. */
const MAX_DEPTH = 4;
/** The suffix that the archive adds to a name. */
const STAMP = /\.(\d{8}-\d{6})(?:-(\d+))?\.md$/;
/** File systems allow 255 bytes: this leaves room for the stamp. */
const MAX_STEM_BYTES = 225;
/** Maximum bytes to read: a larger file is a dump, not a note. */
const MAX_BYTES = 256 * 1024;

/**
 * Every memory file below a folder, without reading any: Markdown files that are not hidden, except the index file,
 * the journal and, below the user's folder, those of projects. Links are followed while they stay inside the folder.
 * A folder that does not exist has none.
 */
export function listMemoryFiles({ path, scope }: MemoryFolder): ListedFile[] {
  const files: ListedFile[] = [];
  collect(path, 0, {
    root: path,
    files,
    passes: scope === "user" ? [JOURNAL, PROJECTS] : [JOURNAL],
  });
  return files.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** Reads a memory file with any content; throws the system's error if it cannot be read. */
export function readMemoryFile(path: string, scope: Scope): MemoryFile {
  const { bytes, size, mtimeMs } = readHead(path);
  const problems: Problem[] = [];
  if (size > MAX_BYTES) {
    const message =
      `The file has ${size} bytes; only the first ${MAX_BYTES} are used, split it into notes`;
    problems.push({ kind: "too-large", message });
  }
  const cut = { stream: size > MAX_BYTES }; // the cut may split a character, which is fine
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, cut);
  if (text.includes("\ufffd") && !isUtf8(bytes, cut)) {
    problems.push({
      kind: "encoding",
      message: "The file is not UTF-8; what cannot be read is shown as `\ufffd`",
    });
  }
  const parsed = parseMemory(text.replace(/\0/g, ""), { fallbackName: basename(path, ".md") });
  return {
    ...parsed.memory,
    path,
    scope,
    size,
    mtimeMs,
    digest: digestOf(bytes),
    problems: [...problems, ...parsed.problems],
  };
}

export interface WriteOptions {
  /** The file that the memory replaces; default: a new one. */
  readonly replaces?: string;
  /** A text whose unknown keys and comments are kept; default: that of `replaces`. */
  readonly original?: string;
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
  return attempt(`write a memory into \`${folder.path}\``, () => {
    makeFolder(folder);
    const { replaces, original } = options;
    if (replaces === undefined) {
      return claim(folder.path, fileName(memory.type, memory.name), (path) => {
        createFileAtomic(path, serializeMemory(memory, original));
      });
    }
    refuseOutside(replaces, folder.path);
    const before = original ?? (existsSync(replaces) ? readFileSync(replaces, "utf8") : undefined);
    writeFileAtomic(replaces, serializeMemory(memory, before));
    return replaces;
  });
}

/** Makes a memory folder, and records the owner of a project's private one. */
export function makeFolder({ path, scope, project }: MemoryFolder): void {
  if (scope === "project" && project !== undefined) makeProjectFolder(path, project);
  else mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Moves a memory into the folder's archive and returns its new path. */
export function archive(path: string, folder: MemoryFolder, now: Date): string {
  return attempt(`archive \`${path}\``, () => {
    refuseOutside(path, folder.path);
    const root = archiveOf(folder);
    const place = join(root, relative(realpathSync(folder.path), realpathSync(dirname(path))));
    refuseLink(root);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
    return claim(place, `${shorten(basename(path, ".md"))}.${stamp}.md`, (archived) => {
      move(path, archived);
    });
  });
}

/** Moves a memory out of the folder's archive to its former path, and returns that. */
export function restore(archived: string, folder: MemoryFolder): string {
  return attempt(`restore \`${archived}\``, () => {
    const place = archiveOf(folder);
    refuseLink(place);
    refuseOutside(archived, place);
    const home = join(folder.path, relative(realpathSync(place), realpathSync(dirname(archived))));
    mkdirSync(home, { recursive: true, mode: 0o700 });
    refuseOutside(join(home, originalName(archived)), folder.path);
    return claim(home, originalName(archived), (path) => move(archived, path));
  });
}

/** The archived memories of a folder, newest first. */
export function listArchive(folder: MemoryFolder): ListedFile[] {
  const root = archiveOf(folder);
  const files: ListedFile[] = [];
  collect(root, 0, { root, files, passes: [] });
  return files.sort((a, b) => {
    const [left, right] = [stampOf(a.path), stampOf(b.path)];
    return right.stamp.localeCompare(left.stamp) || right.number - left.number ||
      (a.path < b.path ? -1 : 1);
  });
}

/** The archive of a folder. */
function archiveOf({ path, archive = join(path, ARCHIVE) }: MemoryFolder): string {
  return archive;
}

/** The file name that an archived memory had. */
export function originalName(archived: string): string {
  return basename(archived).replace(STAMP, ".md");
}

/** When a file was archived, and its number among those of its name in that second. */
function stampOf(archived: string): { stamp: string; number: number } {
  const [, stamp = "", number = "1"] = STAMP.exec(basename(archived)) ?? [];
  return { stamp, number: Number(number) };
}

/** A file's name, shortened if the stamp would not fit behind it. */
function shorten(stem: string): string {
  let short = stem;
  while (Buffer.byteLength(short) > MAX_STEM_BYTES) short = [...short].slice(0, -1).join("");
  return short;
}

function collect(
  folder: string,
  depth: number,
  walk: { root: string; files: ListedFile[]; passes: readonly string[] },
): void {
  const { root, files, passes } = walk;
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return; // deleted, or not readable
  }
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith(".")) continue;
    const path = join(folder, name);
    if (entry.isDirectory()) {
      const isPassed = passes.includes(name) && (depth === 0 || name === JOURNAL);
      if (!isPassed && depth < MAX_DEPTH) collect(path, depth + 1, walk);
      continue;
    }
    if (!name.endsWith(".md") || name === INDEX_FILE) continue;
    // A link to a folder is skipped, and so is every loop of links.
    if (entry.isSymbolicLink() && !staysInside(path, root)) continue;
    const stats = statsOf(path);
    if (stats?.isFile()) files.push({ path, size: stats.size, mtimeMs: stats.mtimeMs });
  }
}

function staysInside(link: string, root: string): boolean {
  try {
    return isInside(realpathSync(link), realpathSync(root));
  } catch {
    return false; // a broken link, or a loop
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(".." + sep) && !isAbsolute(way);
}

/** Throws for a folder that is a link, because writes would land elsewhere. */
function refuseLink(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new MemoError("file", `Cannot touch \`${folder}\`: it is a symbolic link`);
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

/** Throws unless a file lies inside a folder, links followed; the file itself must not be a link out of it. */
export function refuseOutside(path: string, folder: string): void {
  const parent = existsSync(dirname(path)) ? realpathSync(dirname(path)) : dirname(path);
  const root = existsSync(folder) ? realpathSync(folder) : folder;
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isInside(join(parent, basename(path)), root) && !link) return;
  throw new MemoError(
    "file",
    `Cannot change \`${path}\`: it is ${link ? "a symbolic link" : "outside `" + folder + "`"}`,
  );
}

/**
 * Makes the first free path in the folder: the name, or the name with a number. `make` throws `EEXIST` if another
 * process was faster.
 */
function claim(folder: string, name: string, make: (path: string) => void): string {
  const stem = name.replace(/\.md$/, "");
  for (let n = 1;; n++) {
    const path = join(folder, n === 1 ? name : `${stem}-${n}.md`);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      make(path);
      return path;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** The file's first `MAX_BYTES`, with its true size. */
function readHead(path: string): { bytes: Uint8Array; size: number; mtimeMs: number } {
  const file = openSync(path, "r");
  try {
    const { size, mtimeMs } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES));
    let filled = 0;
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read) {
      read = readSync(file, bytes, filled, bytes.length - filled, filled);
    }
    return { bytes: bytes.subarray(0, filled), size, mtimeMs };
  } finally {
    closeSync(file);
  }
}

function isUtf8(bytes: Uint8Array, cut: { readonly stream: boolean }): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, cut);
    return true;
  } catch {
    return false;
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
