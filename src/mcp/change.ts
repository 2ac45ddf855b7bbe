import { basename } from "node:path";
import type { Done } from "../change/apply.ts";
import type { FileChange } from "../change/change.ts";
import { refuseForeign } from "../change/own.ts";
import { MemoError } from "../errors.ts";
import type { Found } from "../memory/find.ts";
import type { MemoryFile } from "../memory/memory.ts";
import { findNamed } from "./address.ts";
import type { ToolContext, WritingContext } from "./tool.ts";

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

/** Makes one change; throws a `file` MemoError if somebody has changed the memory meanwhile. */
export async function changeOne(
  change: FileChange,
  { change: make }: WritingContext,
): Promise<Done> {
  const { done: [done] } = await make([change]);
  if (done !== undefined) return done;
  throw new MemoError("file", "Cannot change the memory: it has changed since it was read", {
    hint: "Call the tool again",
  });
}

/** The command that takes back the last change of a memory. */
export function undoCommand({ path }: Pick<MemoryFile, "path">): string {
  return `memo undo ${basename(path)}`;
}
