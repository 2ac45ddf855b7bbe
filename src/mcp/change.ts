import { basename } from "node:path";
import { MemoError } from "../errors.ts";
import { findMemory, type Found } from "../memory/find.ts";
import { writeIndexFile } from "../memory/index_file.ts";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { messageOf } from "../errors.ts";
import { leaveNotices, type Notice } from "../upkeep/notices.ts";
import { pathOf } from "./address.ts";
import type { ToolContext } from "./tool.ts";

/**
 * The memory that a tool may change: the user's own. What the repository shares is for its people to change, and Claude
 * Code's auto memory for Claude Code.
 */
export function findOwn(name: string, { folders, place }: ToolContext, what: string): Found {
  const found = findMemory(pathOf(name, folders), folders, { cwd: place.cwd });
  const { memory, folder } = found;
  if (folder.scope === "shared") {
    throw new MemoError(
      "usage",
      `Cannot ${what} \`${memory.name}\`: the repository shares it`,
      { hint: `Change \`${memory.path}\` as any file of the repository, if the user wants that` },
    );
  }
  if (folder.scope === "auto") {
    throw new MemoError(
      "usage",
      `Cannot ${what} \`${memory.name}\`: it belongs to Claude Code's auto memory, which memo never changes`,
      { hint: `Change \`${memory.path}\` and its line in MEMORY.md yourself` },
    );
  }
  return found;
}

/** Brings a folder's `MEMORY.md` and the index in step with a change. */
export async function follow(folder: MemoryFolder, { sync, log }: ToolContext): Promise<void> {
  try {
    writeIndexFile(folder);
  } catch (error) {
    log("mcp", { folder: folder.path, failed: messageOf(error) }); // the next write makes it again
  }
  await sync(folder);
}

/** Leaves word of a change, for the line that the person gets to see. */
export function tell(
  what: Notice["what"],
  { memory: { name, path }, folder, replaced }: Found & Pick<Notice, "replaced">,
  { paths, session, now }: ToolContext,
): void {
  const at = now().toISOString();
  const notice = { at, what, name, replaced, path, folder: folder.path, session: session?.id };
  leaveNotices(paths.notices, [notice]);
}

/** The command that takes back the last change of a memory. */
export function undoCommand({ path }: Pick<MemoryFile, "path">): string {
  return `memo undo ${basename(path)}`;
}
