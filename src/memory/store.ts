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
  renameSync,
  statSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { MemoError, messageOf } from "../errors.ts";
import { writeFileAtomic } from "./atomic.ts";
import { parseMemory, serializeMemory } from "./file.ts";
import type { Memory, MemoryFile, Problem, Scope } from "./memory.ts";
import { fileName } from "./slug.ts";

/** A file that may hold a memory, as a listing of its folder tells. */
export interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The generated overview of a memory folder; no memory itself. */
export const INDEX_FILE = "MEMORY.md";
/** Where superseded, forgotten and merged memories go. */
const ARCHIVE = ".archive";
/** The daily log lies beside the memories and is none. */
const JOURNAL = "journal";
/** Folders are looked into this deep. */
const MAX_DEPTH = 4;
/** Of a larger file only the beginning is taken: it is no note but a dump. */
const MAX_BYTES = 256 * 1024;

/**
 * Every memory file below a folder, without reading any: Markdown files that are not hidden, not the index
 * file and not the journal. Links are followed as long as they stay inside the folder. A folder that does not
 * exist has none.
 */
export function listMemoryFiles(folder: string): ListedFile[] {
  const files: ListedFile[] = [];
  collect(folder, 0, { root: folder, files });
  return files.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** Reads a memory file, whatever is in it. Throws the system's error when it cannot be read. */
export function readMemoryFile(path: string, scope: Scope): MemoryFile {
  const { bytes, size, mtimeMs } = readHead(path);
  const problems: Problem[] = [];
  if (size > MAX_BYTES) {
    const message =
      `The file has ${size} bytes; only the first ${MAX_BYTES} are used, split it into notes`;
    problems.push({ kind: "too-large", message });
  }
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (text.includes("\ufffd") && !isUtf8(bytes, size > MAX_BYTES)) {
    problems.push({
      kind: "encoding",
      message: "The file is not UTF-8; what cannot be read is left out",
    });
  }
  const parsed = parseMemory(text.replace(/\0/g, ""), { fallbackName: basename(path, ".md") });
  if (text.trim() === "") problems.push({ kind: "empty", message: "The file is empty" });
  return {
    ...parsed.memory,
    path,
    scope,
    size,
    mtimeMs,
    problems: [...problems, ...parsed.problems],
  };
}

/**
 * Writes a memory into a folder and returns its path: `{type}_{slug}.md`, with a number where another memory has
 * that name, or the place of the file it `replaces`, whose unknown keys and comments survive.
 */
export function writeMemory(
  memory: Memory,
  folder: string,
  { replaces }: { readonly replaces?: string } = {},
): string {
  return attempt(`write a memory into \`${folder}\``, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = replaces ?? freePath(folder, fileName(memory.type, memory.name));
    refuseOutside(path, folder);
    const original = replaces !== undefined && existsSync(path)
      ? readFileSync(path, "utf8")
      : undefined;
    writeFileAtomic(path, serializeMemory(memory, original));
    return path;
  });
}

/** Moves a memory into the folder's archive and returns where it lies there. */
export function archive(path: string, folder: string, now: Date): string {
  return attempt(`archive \`${path}\``, () => {
    refuseOutside(path, folder);
    const place = join(folder, ARCHIVE);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
    const archived = freePath(place, `${basename(path, ".md")}.${stamp}.md`);
    renameSync(path, archived);
    return archived;
  });
}

/** Moves a memory out of the folder's archive again, and returns where it lies now. */
export function restore(archived: string, folder: string): string {
  return attempt(`restore \`${archived}\``, () => {
    refuseOutside(archived, join(folder, ARCHIVE));
    const path = freePath(folder, originalName(archived));
    renameSync(archived, path);
    return path;
  });
}

/** The archived memories of a folder, newest first. */
export function listArchive(folder: string): ListedFile[] {
  const files: ListedFile[] = [];
  collect(join(folder, ARCHIVE), MAX_DEPTH, { root: folder, files });
  return files.sort((a, b) =>
    stampOf(b.path).localeCompare(stampOf(a.path)) || (a.path < b.path ? -1 : 1)
  );
}

/** The file name that an archived memory had. */
export function originalName(archived: string): string {
  return basename(archived).replace(/\.\d{8}-\d{6}(-\d+)?\.md$/, ".md");
}

function stampOf(archived: string): string {
  return /\.(\d{8}-\d{6})/.exec(basename(archived))?.[1] ?? "";
}

function collect(
  folder: string,
  depth: number,
  { root, files }: { root: string; files: ListedFile[] },
): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return; // gone, or not ours to read
  }
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith(".")) continue;
    const path = join(folder, name);
    if (entry.isDirectory()) {
      if (name !== JOURNAL && depth < MAX_DEPTH) collect(path, depth + 1, { root, files });
      continue;
    }
    if (!name.endsWith(".md") || name === INDEX_FILE) continue;
    // A link to a folder is passed over, and so is every loop of links.
    if (entry.isSymbolicLink() && !staysInside(path, root)) continue;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) files.push({ path, size: stats.size, mtimeMs: stats.mtimeMs });
  }
}

function staysInside(link: string, root: string): boolean {
  try {
    return isInside(realpathSync(link), realpathSync(root));
  } catch {
    return false; // it leads nowhere, or in circles
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(".." + sep) && !isAbsolute(way);
}

/** Throws unless a file lies inside a folder, links followed; the file itself must not be a link out of it. */
function refuseOutside(path: string, folder: string): void {
  const parent = existsSync(dirname(path)) ? realpathSync(dirname(path)) : dirname(path);
  const root = existsSync(folder) ? realpathSync(folder) : folder;
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isInside(join(parent, basename(path)), root) && !link) return;
  throw new MemoError(
    "file",
    `Cannot touch \`${path}\`: it is ${link ? "a link" : "outside `" + folder + "`"}`,
  );
}

/** A path in the folder that is not taken: the name, or the name with the first free number. */
function freePath(folder: string, name: string): string {
  const stem = name.replace(/\.md$/, "");
  for (let n = 1;; n++) {
    const path = join(folder, n === 1 ? name : `${stem}-${n}.md`);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
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

function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
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
      hint: "Check that the folder can be written to and that the disk is not full",
      cause: error,
    });
  }
}
