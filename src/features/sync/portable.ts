// The files of a memory folder that go to other machines, which names may come back from them, and how two versions of
// one become one.

import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf, messageOf } from "../../errors.ts";
import { CHANGE_LOG } from "../../core/ledger/change_log.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { type Identity, PROJECTS } from "../../core/memory/project.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { INDEX_FILE, JOURNAL, type Unreadable } from "../../core/memory/folder.ts";
import {
  type Merged,
  mergeDays,
  mergeLines,
  mergeMemories,
  type Versions,
} from "../../core/change/merge.ts";
import { redact } from "../../core/redact/redact.ts";

/** The folder of archived memories in a memory folder. */
export const ARCHIVE = ".archive";
/** The path of the log of changes. */
export const LOG = `${ARCHIVE}/${CHANGE_LOG}`;
/** The file that says which project a folder is. */
export const PROJECT_FILE = ".project.json";
/** The form of a folder's name outside this machine. */
export const PLACE = /^(?:user|projects\/[\p{L}\p{N}\p{M}-]{1,200})$/u;
/** The deepest that a file lies below its folder. */
const MAX_DEPTH = 8;
/** A larger file is no note. */
const MAX_FILE = 8 * 1024 * 1024;
/** A log of changes grows by about 200 bytes a change. */
const MAX_LOG = 128 * 1024 * 1024;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A file of a folder that travels. */
export interface Portable {
  /** Its path in the folder, with `/`. */
  readonly relativePath: string;
  readonly path: string;
}

/** A folder in it that cannot be read, `""` for the whole. */
export type Unlisted = Portable & Unreadable;

/**
 * Every file of a folder that travels: memories, journal and archive. Links do not, nor does what is generated. A
 * folder that cannot be read is added to `unlisted`.
 */
export function portableFiles(
  folder: Pick<MemoryFolder, "path" | "scope">,
  unlisted: Unlisted[] = [],
): Portable[] {
  const files: Portable[] = [];
  const walk = (at: string, prefix: string) => {
    for (const entry of entriesOf(at, prefix, unlisted)) {
      const relativePath = prefix + entry.name;
      if (relativePath === PROJECTS && folder.scope === "user") continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (isPortable(`${relativePath}/x.md`)) walk(path, `${relativePath}/`);
      } else if (entry.isFile() && isPortable(relativePath)) files.push({ relativePath, path });
    }
  };
  walk(folder.path, "");
  return files.sort((a, b) => a.relativePath < b.relativePath ? -1 : 1);
}

/**
 * Whether a path may be written below a memory folder on any system: it stays in it, hides nothing but the archive, and
 * is a memory, a day of the journal or the log of changes.
 */
export function isPortable(relativePath: string): boolean {
  const parts = relativePath.split("/");
  const name = parts.at(-1)!;
  const [first] = parts;
  if (parts.length > MAX_DEPTH || Buffer.byteLength(relativePath) > 1000) return false;
  if (parts.some((part, i) => !isName(part, i === 0))) return false;
  if (relativePath === LOG) return true;
  return name.endsWith(".md") && relativePath !== INDEX_FILE && first !== PROJECTS;
}

/** The most bytes that the file at a path may have to travel. */
export function limitOf(relativePath: string): number {
  return relativePath === LOG ? MAX_LOG : MAX_FILE;
}

/** Whether what is at a path only grows: the journal, the archive and the log of changes. */
export function isAppendOnly(relativePath: string): boolean {
  return isJournal(relativePath) || isArchived(relativePath);
}

/** Whether what is at a path is a memory in use. */
export function isLive(relativePath: string): boolean {
  return relativePath.endsWith(".md") && !isAppendOnly(relativePath);
}

/** Whether a path is a day of the journal. */
export function isJournal(relativePath: string): boolean {
  return relativePath.startsWith(`${JOURNAL}/`);
}

/** Whether a path lies in the archive. */
export function isArchived(relativePath: string): boolean {
  return relativePath.startsWith(`${ARCHIVE}/`);
}

function isName(part: string, isFirst: boolean): boolean {
  if (part === "" || Buffer.byteLength(part) > 255) return false;
  if (part.startsWith(".") && !(part === ARCHIVE && isFirst)) return false;
  // deno-lint-ignore no-control-regex
  return !/[\\:*?"<>|\u0000-\u001f\u007f]/.test(part) && !/[. ]$/.test(part) &&
    !RESERVED.test(part) && part.toWellFormed() === part;
}

function entriesOf(folder: string, prefix: string, unlisted: Unlisted[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const isAbsent = ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
    if (!isAbsent) unlisted.push({ relativePath: prefix, path: folder, because: messageOf(error) });
    return [];
  }
}

/** What a file says that names a project; undefined if it is damaged. */
export function identityIn(value: unknown): Identity | undefined {
  const { name, remotes, commits } = fieldsOf(value);
  const isList = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((each) => typeof each === "string");
  return typeof name === "string" && isList(remotes) && isList(commits)
    ? { name, remotes, commits }
    : undefined;
}

/** The kinds of secrets that a file seems to hold. */
export async function secretKindsIn(
  bytes: Uint8Array,
  patterns: readonly RegExp[],
): Promise<string[]> {
  return Object.keys((await redact(Buffer.from(bytes).toString("utf8"), patterns)).found);
}

/** Merges a file of a memory folder. */
export function mergeFile(relativePath: string, { base, ours, theirs }: Versions): Merged {
  if (ours === theirs) return { text: ours };
  if (relativePath.endsWith(".jsonl")) return { text: mergeLines({ base, ours, theirs }) };
  if (base === theirs) return { text: ours };
  if (base === ours) return { text: theirs };
  if (ours === undefined || theirs === undefined) {
    return { text: ours ?? theirs, note: "edited here, deleted there" };
  }
  if (relativePath === PROJECT_FILE) return { text: ours }; // it has what the other knows (`projects.ts`)
  if (isJournal(relativePath)) return { text: mergeDays({ base, ours, theirs }) };
  if (isArchived(relativePath)) return { text: ours, sibling: theirs };
  return mergeMemories({ base, ours, theirs });
}
