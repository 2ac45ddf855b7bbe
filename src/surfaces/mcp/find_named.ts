import { basename } from "node:path";
import { refuseForeign } from "../../core/change/change.ts";
import { findMemory, type Found } from "../../core/ledger/find.ts";
import type { MemoryFile } from "../../core/memory/memory.ts";
import { MemoError } from "../../errors.ts";
import type { ToolContext } from "./tool.ts";

/** The memory that a tool is asked for; throws a `not-found` MemoError with those of a similar name. */
export function findNamed(
  name: string,
  { folders, place }: Pick<ToolContext, "folders" | "place">,
): Found {
  return findMemory(name, folders, { cwd: place.cwd });
}

/**
 * The memory that a tool may change: the user's own. What the repository shares is for its people to change, and Claude
 * Code's auto memory for Claude Code.
 */
export function findOwn(name: string, context: ToolContext, what: string): Found {
  const found = findNamed(name, context);
  const { memory, folder } = found;
  refuseForeign(found, what);
  if (folder.scope !== "shared") return found;
  throw new MemoError(
    "usage",
    `Cannot ${what} \`${memory.name}\`: the repository shares it`,
    { hint: `Change \`${memory.path}\` as any file of the repository, if the user wants that` },
  );
}

/** The command that takes back the last change of a memory. */
export function undoCommand({ path }: Pick<MemoryFile, "path">): string {
  return `memo undo ${basename(path)}`;
}
