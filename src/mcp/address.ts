import type { MemoryFolder } from "../memory/memory.ts";
import { listMemoryFiles } from "../memory/folder.ts";
import { uriOf } from "./present.ts";

/** The path of a memory if it is named by its address; any other name unchanged. Nothing outside the folders has one. */
export function pathOf(name: string, folders: readonly MemoryFolder[]): string {
  if (!name.startsWith("memo://")) return name;
  for (const folder of folders) {
    const file = listMemoryFiles(folder).find(({ path }) =>
      uriOf(path, folder.scope, folders) === name
    );
    if (file !== undefined) return file.path;
  }
  return name;
}
