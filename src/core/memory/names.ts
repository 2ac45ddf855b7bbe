// The whole title and path of a memory, as a command may name it by some of their words.

import { relative, sep } from "node:path";
import { folded } from "../text/folded.ts";
import type { MemoryFile, MemoryFolder } from "./memory.ts";

/** A name as it is compared. */
export function fold(text: string): string {
  return folded(text).replace(/\s+/g, " ").trim();
}

/** Where the words of a name are looked for. */
export function labelOf(
  { name, path }: Pick<MemoryFile, "name" | "path">,
  folder: Pick<MemoryFolder, "path">,
): string {
  return `${fold(name)}\n${fold(relative(folder.path, path).split(sep).join("/"))}`;
}
