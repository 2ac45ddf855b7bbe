// A memory as it counts in its folder. A file in Claude Code's auto memory that no session is known to have written is
// not the user's word, and what others have written is held back where it asks for what no memory needs.

import { asMarked, asSuspect, isSuspectMemory } from "./provenance.ts";
import { isOthers, type MemoryFile, type MemoryFolder } from "./memory.ts";
import { isSuspect } from "./suspect.ts";
import { isOwnContent, trusted } from "./trust.ts";

/** A file's memory, with the mark that its folder gives it. */
export function attributed(file: MemoryFile, folder: MemoryFolder): MemoryFile {
  if (isOwnContent(folder, file.digest)) return { ...file, isOwn: true };
  const isUnknown = isUnwatched(file, folder);
  if (!isUnknown && !isOthers(folder.scope)) return file;
  if (isSuspect(`${file.name}\n${file.description}\n${file.body}`)) return asSuspect(file);
  return isUnknown ? asMarked(file, "elsewhere") : file;
}

/** Whether no prompt gets a file's memory until the user has reviewed it. */
export function isHeldBack(file: MemoryFile, folder: MemoryFolder): boolean {
  return isSuspectMemory(attributed(file, folder));
}

/** Whether a file is in Claude Code's auto memory, written by no session that is known, and not trusted by a person. */
export function isUnwatched({ digest = "" }: MemoryFile, folder: MemoryFolder): boolean {
  const { scope, trust: file, path: project } = folder;
  return scope === "auto" && file !== undefined && !trusted({ file, project }).has(digest);
}
