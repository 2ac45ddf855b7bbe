import { existsSync, readFileSync, realpathSync } from "node:fs";
import type { Command } from "commander";
import { MemoError, messageOf } from "../errors.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { findMemory, type Found } from "../memory/find.ts";
import type { MemoryFile } from "../memory/memory.ts";
import { memoryFolders } from "../memory/scopes.ts";
import { readMemoryFile, writeMemory } from "../memory/store.ts";
import { tilde } from "../paths.ts";
import { afterChange } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { describe } from "./describe.ts";
import { openInEditor } from "./editor.ts";
import { out, outJson, say } from "./output.ts";

/** `memo edit`: opens a memory in the person's editor, and says what is wrong with the result. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", "Its name, file name or path, or the beginning of one")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const { cwd, paths, env } = context;
      const folders = memoryFolders({ cwd, claude: paths.claude });
      const found = findMemory(words.join(" "), folders, { cwd });
      const { path } = found.memory;
      const before = readFileSync(path);
      openInEditor(path, env);
      bringBack(path, before);
      let memory = reread(found);
      const changed = !before.equals(readFileSync(path));
      if (changed && memory.problems.length === 0) memory = markUpdated(memory, found);
      if (changed) await afterChange(context, found.folder);
      for (const { message } of memory.problems) say(`warning: ${tilde(path, env)}: ${message}`);
      if (options.json) return outJson({ ...describe(memory, new Date()), changed });
      out(path + "\n");
      if (!changed) say("Nothing was changed");
    });
}

/** Some editors save by taking the file away; where they put nothing in its place, it is as it was. */
function bringBack(path: string, before: Uint8Array): void {
  if (existsSync(path)) return;
  writeFileAtomic(path, before);
  throw new MemoError(
    "file",
    `Cannot edit \`${path}\`: the editor took the file away; it is back as it was`,
    { hint: "`memo forget NAME` moves a memory to the archive" },
  );
}

function reread({ memory }: Found): MemoryFile {
  try {
    return readMemoryFile(memory.path, memory.scope);
  } catch (error) {
    throw new MemoError("file", `Cannot read \`${memory.path}\` again: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** A date in the file that is older than the edit would make the memory look stale. */
function markUpdated(after: MemoryFile, { memory: before, folder }: Found): MemoryFile {
  const isDated = after.created !== undefined || after.updated !== undefined;
  if (folder.scope === "auto" || !isDated || after.updated !== before.updated) return after;
  const updated = { ...after, updated: new Date().toISOString() };
  writeMemory(updated, folder.path, { replaces: realpathSync(after.path) });
  return readMemoryFile(after.path, after.scope);
}
