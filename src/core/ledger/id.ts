import { relative, sep } from "node:path";
import { archiveOf, originalPath } from "./archive.ts";
import { memoryPaths } from "../memory/folder.ts";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { digestOf } from "../memory/trust.ts";

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
  const own = isArchived ? originalPath(path, folder) : path;
  const isBelow = own.startsWith(folder.path + sep); // `relative` would take as long as all else
  const file = isBelow ? own.slice(folder.path.length + 1) : relative(folder.path, own);
  const digits = digestOf(`${scope}/${file.split(sep).join("/")}`).slice(0, WHOLE);
  return [...digits].map((digit) => LETTERS[parseInt(digit, 16)]).join("");
}

/**
 * Ids, in their order, as short as they differ from each other and from those of the memories in use in some folders: by
 * the index, if there is one, which may not have the newest of them yet.
 */
export function shortIds(
  ids: readonly string[],
  folders: readonly MemoryFolder[],
): string[] {
  const near = folders.flatMap((folder) =>
    folder.known?.idsNear(ids, folder) ??
      memoryPaths(folder).map((path) => idOf({ path, scope: folder.scope }, folder))
  );
  const sorted = [...new Set([...ids, ...near])].sort();
  const lengths = new Map<string, number>();
  let before = LEAST;
  for (const [i, id] of sorted.entries()) {
    const next = sorted[i + 1] ?? "-"; // which no id begins with
    let after = LEAST;
    while (after < WHOLE && id.startsWith(next.slice(0, after))) after++;
    lengths.set(id, Math.max(before, after));
    before = after;
  }
  return ids.map((id) => id.slice(0, lengths.get(id)));
}
