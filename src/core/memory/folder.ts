import {
  closeSync,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { formatLimit } from "../files/bounded.ts";
import { orNothing, statsOf } from "../files/there.ts";
import { realPathOf } from "../files/real_path.ts";
import { parseMemory } from "./file.ts";
import {
  LONGEST_FILE,
  type MemoryFile,
  type MemoryFolder,
  type Problem,
  type Scope,
} from "./memory.ts";
import { makeProjectFolder, PROJECTS } from "./project.ts";
import { digestOf } from "./trust.ts";

/** A file that may hold a memory, as listed in its folder. */
export interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** A file or folder that is there and cannot be read. */
export interface Unreadable {
  readonly path: string;
  readonly because: string;
}

/** The generated overview of a memory folder, which is not a memory itself. */
export const INDEX_FILE = "MEMORY.md";
/** The folder of the journal, beside the memories. */
export const JOURNAL = "journal";
const MAX_DEPTH = 4;

/**
 * Every memory file below a folder, without reading any: Markdown files that are not hidden, except the index file,
 * the journal and, below the user's folder, those of projects. Links are followed while they stay inside the folder.
 * A folder that does not exist has none; one that cannot be read is added to `unreadable`.
 */
export function listMemoryFiles(folder: MemoryFolder, unreadable: Unreadable[] = []): ListedFile[] {
  return [...walkMemoryFiles(folder, unreadable)].sort(byPath);
}

/** The same, one after the other and in no order. */
export function walkMemoryFiles(
  { path, scope }: MemoryFolder,
  unreadable: Unreadable[] = [],
  walker?: Walker,
): Generator<ListedFile> {
  return listedIn({ root: path, scope, unreadable, walker });
}

/** Is told what a walk comes across. */
export interface Walker {
  /** The path of a folder, before anything in it is looked at. */
  entered(folder: string): void;
  /** A file that can be changed under another path, too. */
  onLink(): void;
}

/** The paths of the same, without a look at any file. */
export function memoryPaths({ path, scope }: MemoryFolder): string[] {
  return [...walk(join(path, "."), 0, { root: path, scope, unreadable: [] })];
}

/**
 * The file at a path below a folder as `walkMemoryFiles` lists it; undefined if nothing is there any more. "unsure" where
 * only the walk can tell: a link or another spelling is on the way to it, or it is no memory.
 */
export function memoryFileAt(
  path: string,
  { path: root, scope }: MemoryFolder,
): ListedFile | "unsure" | undefined {
  const names = relative(root, path).split(sep);
  const name = names.at(-1)!;
  const isPassed = names.slice(0, -1).some((name, depth) => isSkipped(name, depth, scope));
  if (isPassed || names.length > MAX_DEPTH + 1 || names.some(isHidden) || !mayHold(name)) {
    return "unsure";
  }
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (
      !stats.isFile() || stats.nlink > 1 || realPathOf(path) !== join(realPathOf(root), ...names)
    ) return "unsure";
    const asListed = [join(root, "."), ...names].join(sep);
    return { path: asListed, size: stats.size, mtimeMs: stats.mtimeMs };
  } catch {
    return "unsure";
  }
}

/** The order of listed files. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

interface Search {
  readonly root: string;
  /** Whose subfolders to pass over; undefined: none. */
  readonly scope?: Scope;
  /** Takes folders that cannot be read. */
  readonly unreadable: Unreadable[];
  readonly walker?: Walker | undefined;
}

/** Every Markdown file below a folder that is not hidden; folders that cannot be read are added to `unreadable`. */
export function filesBelow(root: string, unreadable: Unreadable[] = []): ListedFile[] {
  return [...listedIn({ root, unreadable })];
}

function* listedIn(search: Search): Generator<ListedFile> {
  for (const path of walk(join(search.root, "."), 0, search)) {
    const stats = statsOf(path);
    if (!stats?.isFile()) continue;
    if (stats.nlink > 1) search.walker?.onLink();
    yield { path, size: stats.size, mtimeMs: stats.mtimeMs };
  }
}

/** Folders that are as good as absent. */
const ABSENT = ["ENOENT", "ENOTDIR"];

/** Of a file in an old encoding a few characters cannot be read; one with a larger share is UTF-16, or says nothing. */
const MOST_UNREADABLE = 0.1;

/** A memory as its file is now; undefined if it was deleted since, or cannot be read. */
export function memoryNow(path: string, scope: Scope): MemoryFile | undefined {
  return orNothing(() => readMemoryFile(path, scope));
}

/** Reads a memory file with any content; throws the system's error if it cannot be read. */
export function readMemoryFile(path: string, scope: Scope): MemoryFile {
  const { bytes, size, mtimeMs } = readHead(path);
  const problems: Problem[] = [];
  if (size > LONGEST_FILE) {
    const limit = formatLimit(LONGEST_FILE);
    const message =
      `The file is larger than ${limit} and is cut there; split it into several memories`;
    problems.push({ kind: "too-large", message });
  }
  const cut = { stream: size > LONGEST_FILE }; // the cut may split a character, which is fine
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, cut);
  const isOther = text.includes("\ufffd") && !isUtf8(bytes, cut);
  const unreadable = text.match(isOther ? /[\ufffd\0]/g : /\0/g)?.length ?? 0;
  const fallbackName = basename(path, ".md");
  if (unreadable > MOST_UNREADABLE * text.length) {
    const message = "The file is not UTF-8; save it as UTF-8 to use it";
    problems.push({ kind: "encoding", message });
    // Without confidence no session lists it by the name of its file.
    const memory = { ...parseMemory("", { fallbackName }).memory, confidence: 0 };
    return { ...memory, path, scope, size, mtimeMs, digest: digestOf(bytes), problems };
  }
  if (isOther) {
    problems.push({
      kind: "encoding",
      message: "The file is not UTF-8; unreadable characters are shown as `\ufffd`",
    });
  }
  const parsed = parseMemory(text.replace(/\0/g, ""), { fallbackName });
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

/** Makes a memory folder, and records the owner of a project's private one. */
export function makeFolder({ path, scope, project }: MemoryFolder): void {
  if (scope === "project" && project !== undefined) makeProjectFolder(path, project);
  else mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Throws unless a file lies inside a folder, links followed; the file itself must not be a link out of it. */
export function refuseOutside(path: string, folder: string): void {
  const parent = existsSync(dirname(path)) ? realPathOf(dirname(path)) : dirname(path);
  const root = existsSync(folder) ? realPathOf(folder) : folder;
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isInside(join(parent, basename(path)), root) && !link) return;
  throw new MemoError(
    "file",
    `Cannot change \`${path}\`: it is ${link ? "a symbolic link" : "outside `" + folder + "`"}`,
  );
}

function* walk(folder: string, depth: number, search: Search): Generator<string> {
  const { root, scope, unreadable, walker } = search;
  let entries: Dirent[];
  walker?.entered(folder);
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!ABSENT.includes((error as { code?: string }).code ?? "")) {
      unreadable.push({ path: join(folder), because: messageOf(error) });
    }
    return;
  }
  for (const entry of entries) {
    const { name } = entry;
    if (isHidden(name)) continue;
    const path = folder + sep + name; // `join` would take as long again as reading the folder
    if (entry.isDirectory()) {
      const isPassed = scope !== undefined && isSkipped(name, depth, scope);
      if (!isPassed && depth < MAX_DEPTH) yield* walk(path, depth + 1, search);
      continue;
    }
    if (!mayHold(name)) continue;
    if (entry.isSymbolicLink()) {
      walker?.onLink();
      // A link to a folder is skipped, and so is a broken one, and every loop of links.
      if (!orNothing(() => isInside(realPathOf(path), realPathOf(root)))) continue;
    }
    if (entry.isFile() || statsOf(path)?.isFile()) yield path;
  }
}

/** Whether a file or folder is passed over for its name. */
export function isHidden(name: string): boolean {
  return name.startsWith(".");
}

/** Whether a subfolder holds no memories of a folder with a scope: the journal, and those of projects. */
function isSkipped(name: string, depth: number, scope: Scope): boolean {
  return name === JOURNAL || (name === PROJECTS && depth === 0 && scope === "user");
}

/** Whether a file with a name may hold a memory. */
export function mayHold(name: string): boolean {
  return name.endsWith(".md") && name !== INDEX_FILE;
}

/** Whether a path is in a folder, and not the folder itself. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(".." + sep) && !isAbsolute(way);
}

/** Throws for a folder that is a link, because writes would land elsewhere. */
export function refuseLink(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new MemoError("file", `Cannot change \`${folder}\`: it is a symbolic link`);
}

/** The file's first `LONGEST_FILE`, with its true size. */
function readHead(path: string): { bytes: Uint8Array; size: number; mtimeMs: number } {
  const file = openSync(path, "r");
  try {
    const { size, mtimeMs } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, LONGEST_FILE));
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
  const text = orNothing(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes, cut));
  return text !== undefined;
}
