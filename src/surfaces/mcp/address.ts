import { findMemory, type Found } from "../../core/ledger/find.ts";
import { listMemoryFiles } from "../../core/memory/folder.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { uriOf } from "./present.ts";
import type { ToolContext } from "./tool.ts";

/** The memory that a tool is asked for; throws a `not-found` MemoError with those of a similar name. */
export function findNamed(
  name: string,
  { folders, place }: Pick<ToolContext, "folders" | "place">,
): Found {
  return findMemory(pathOf(name, folders), folders, { cwd: place.cwd });
}

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
