// Files that memo keeps beside memories: versions in the archive, days of the journal, the log of changes.

import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { makeFolder, refuseLink, refuseOutside } from "../memory/folder.ts";
import { parseMemory } from "../memory/file.ts";
import { fileName } from "../memory/title.ts";
import type { MemoryFolder } from "../memory/memory.ts";

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
export function redactedPath(path: string, text: string): string {
  const { memory: { name, type } } = parseMemory(text, { fallbackName: "" });
  const free = join(dirname(path), fileName(type, name));
  const isMade = basename(path).startsWith(`${type}_`) && name.includes("[redacted:");
  return isMade && !existsSync(free) ? free : path;
}
