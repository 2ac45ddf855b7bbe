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
  const file = relative(folder.path, isArchived ? originalPath(path, folder) : path);
  const digits = digestOf(`${scope}/${file.split(sep).join("/")}`).slice(0, WHOLE);
  return [...digits].map((digit) => LETTERS[parseInt(digit, 16)]).join("");
}

/** Shows ids as short as those of the memories in use in some folders differ. */
export function shortIds(folders: readonly MemoryFolder[]): (id: string) => string {
  const ids = folders.flatMap((folder) =>
    memoryPaths(folder).map((path) => idOf({ path, scope: folder.scope }, folder))
  );
  let length = LEAST;
  while (length < WHOLE && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) {
    length++;
  }
  return (id) => id.slice(0, length);
}
