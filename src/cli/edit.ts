import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { MemoError, messageOf } from "../errors.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { realPathOf } from "../files/real_path.ts";
import { findMemory, type Found } from "../memory/find.ts";
import type { MemoryFile } from "../memory/memory.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { readMemoryFile, rewrite, writeMemory } from "../memory/store.ts";
import { tilde } from "../paths.ts";
import { afterChange } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { describe } from "./describe.ts";
import { openInEditor } from "./editor.ts";
import { out, outJson, say } from "./output.ts";

/** `memo edit`: opens a memory in the user's editor and checks the result. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", "Memory name, file name or path (a unique prefix is enough)")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const { cwd, paths, env } = context;
      const folders = memoryFolders(placeIn(paths, cwd));
      const found = findMemory(words.join(" "), folders, { cwd });
      const { path } = found.memory;
      const before = readFileSync(path);
      openInEditor(path, env);
      bringBack(path, before);
      const edited = reread(found);
      const changed = !before.equals(readFileSync(path));
      const memory = changed ? keepEdited(edited, found, before) : edited;
      if (changed) await afterChange(context, found.folder, path);
      for (const { message } of memory.problems) say(`warning: ${tilde(path, env)}: ${message}`);
      if (options.json) return outJson({ ...describe(memory, new Date()), changed });
      out(path + "\n");
      if (!changed) say("No changes");
    });
}

/** Restores the file if the editor removed it. */
function bringBack(path: string, before: Uint8Array): void {
  if (existsSync(path)) return;
  writeFileAtomic(path, before);
  throw new MemoError(
    "file",
    `Cannot edit \`${path}\`: the editor removed the file; memo restored it`,
    { hint: "Run `memo forget NAME` to move a memory to the archive" },
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

/**
 * Keeps the earlier version, and sets `updated`, because an older date in the file would make the memory look stale.
 */
function keepEdited(
  after: MemoryFile,
  { memory: before, folder }: Found,
  prior: Uint8Array,
): MemoryFile {
  if (folder.scope === "auto") return after;
  const path = realPathOf(after.path);
  const change = { what: "edit", now: new Date(), prior } as const;
  const isDated = after.created !== undefined || after.updated !== undefined;
  if (isDated && after.updated === before.updated && after.problems.length === 0) {
    const updated = { ...after, updated: change.now.toISOString() };
    writeMemory(updated, folder, { replaces: path, ...change });
  } else rewrite(path, readFileSync(path), folder, change);
  return readMemoryFile(after.path, after.scope);
}
