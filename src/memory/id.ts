import { relative, sep } from "node:path";
import { archiveOf, originalPath } from "./archive.ts";
import { memoryPaths } from "./folder.ts";
import type { MemoryFile, MemoryFolder } from "./memory.ts";
import { digestOf } from "./trust.ts";

/** Letters of an id, none of them a hexadecimal digit: changes, turns and sessions have ids of such digits. */
const LETTERS = "klmnopqrstuvwxyz";
/** Length of a whole id, and minimum length that is shown and taken. */
const WHOLE = 8;
const LEAST = 4;
const ID = new RegExp(`^[${LETTERS[0]}-${LETTERS.at(-1)}]{${LEAST},${WHOLE}}$`);

/** Whether a word can be the id of a memory. */
export function isId(word: string): boolean {
  return ID.test(word);
}

/** The whole id of a memory: it follows from scope and file, so that a change leaves it, and the archive too. */
export function idOf(
  { path, scope }: Pick<MemoryFile, "path" | "scope">,
  folder: MemoryFolder,
): string {
  const isArchived = path.startsWith(archiveOf(folder) + sep);
  const digits = digitsOf(isArchived ? originalPath(path, folder) : path, { ...folder, scope });
  return [...digits].map((digit) => LETTERS[parseInt(digit, 16)]).join("");
}

/** The paths of the memories in use in a folder whose ids begin with a word. */
export function pathsWithId(word: string, folder: MemoryFolder): string[] {
  const { scope } = folder;
  return isId(word)
    ? memoryPaths(folder).filter((path) => idOf({ path, scope }, folder).startsWith(word))
    : [];
}

/** The id of a memory in use, in hexadecimal digits. */
function digitsOf(path: string, folder: Pick<MemoryFolder, "path" | "scope">): string {
  const isBelow = path.startsWith(folder.path + sep); // `relative` would take as long as all else
  const file = isBelow ? path.slice(folder.path.length + 1) : relative(folder.path, path);
  return digestOf(`${folder.scope}/${file.split(sep).join("/")}`).slice(0, WHOLE);
}

/** Shows ids as short as those of the memories in use in some folders differ. */
export function shortIds(folders: readonly MemoryFolder[]): (id: string) => string {
  const ids = Uint32Array.from(
    folders.flatMap((folder) =>
      memoryPaths(folder).map((path) => parseInt(digitsOf(path, folder), 16))
    ),
  ).sort();
  let length = LEAST;
  for (let i = 1; i < ids.length && length < WHOLE; i++) {
    const common = Math.clz32(ids[i - 1]! ^ ids[i]!) >> 2; // digits of four bits
    length = Math.min(WHOLE, Math.max(length, common + 1));
  }
  return (id) => id.slice(0, length);
}
