import { basename, join } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { originalPath, wayTo } from "../memory/archive.ts";
import { findMemory } from "../memory/find.ts";
import { realPath } from "../memory/project.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import {
  type ChangeOptions,
  create,
  originalName,
  readMemoryFile,
  restore,
  rewrite,
} from "../memory/store.ts";
import { statsOf } from "../files/stats.ts";
import { type FileIn, previousVersion, versionAt } from "../memory/versions.ts";
import { afterChange } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { findAnywhere } from "./find_anywhere.ts";
import { out, outJson, say } from "./output.ts";
import { splitMoment } from "./moment.ts";

/** `memo restore`: restores a memory from the archive, or an earlier version of one. */
export function define(command: Command, context: CliContext): void {
  command
    .argument(
      "<name[@time]...>",
      "Memory name, file name or path (a unique prefix is enough); `@TIME`: as it was then",
    )
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const { name, when } = splitMoment(words.join(" "));
      const change = { what: "restore", now: new Date() } as const;
      const restored = when === undefined
        ? restoreLast(name, context, change)
        : restoreFrom(inUseOrNot(name, context), { name, when }, change);
      const { path, folder, archived } = restored;
      await afterChange(context, folder, path);
      const memory = readMemoryFile(path, folder.scope);
      if (options.json) {
        const { name, type, scope } = memory;
        return outJson({ name, type, scope, path, ...archived !== undefined && { archived } });
      }
      out(path + "\n");
      say(`Restored \`${memory.name}\``);
      if (archived !== undefined && basename(path) !== originalName(archived)) {
        say(`hint: \`${originalName(archived)}\` exists too; run \`memo forget\` on one of them`);
      }
    });
}

interface Restored {
  readonly path: string;
  readonly folder: MemoryFolder;
  /** The archived file that was copied, if it was chosen by name. */
  readonly archived?: string;
}

/** Brings back the last version in the archive; if memo has rewritten the memory, in its place. */
function restoreLast(name: string, context: CliContext, change: ChangeOptions): Restored {
  const { cwd, paths } = context;
  const folders = memoryFolders(placeIn(paths, cwd)).filter(({ scope }) => scope !== "auto");
  const { memory, folder } = findMemory(name, folders, { cwd, archived: true });
  const path = originalPath(memory.path, folder);
  const place = { folder, file: wayTo(path, folder.path) };
  const previous = statsOf(path) === undefined ? undefined : previousVersion(place);
  if (previous !== undefined) return { path: rewrite(path, previous, folder, change), folder };
  const restored = restore(memory.path, folder, change);
  return { path: restored, folder, archived: memory.path };
}

/** The place of a memory that is in use or in the archive. */
function inUseOrNot(name: string, context: CliContext): FileIn {
  const { memory, folder, archived } = findAnywhere(name, context);
  if (folder.scope === "auto") {
    throw new MemoError(
      "usage",
      `Cannot restore \`${memory.name}\`: it belongs to Claude Code's auto memory, which memo never changes`,
      { hint: "Run `memo log` to see the memories with earlier versions" },
    );
  }
  const path = archived ? originalPath(memory.path, folder) : memory.path;
  return { folder, file: wayTo(realPath(path), realPath(folder.path)) };
}

function restoreFrom(
  place: FileIn,
  { name, when }: { readonly name: string; readonly when: Parameters<typeof versionAt>[1] },
  change: ChangeOptions,
): Restored {
  const { folder, file } = place;
  const found = versionAt(place, when);
  if (found.kind === "none") {
    throw new MemoError("not-found", `Cannot restore \`${name}\` as of then: ${found.because}`, {
      hint: `Run \`memo log ${file}\` to see its versions`,
    });
  }
  const path = join(folder.path, file);
  const isThere = statsOf(path) !== undefined;
  return {
    folder,
    path: isThere
      ? rewrite(path, found.bytes, folder, change)
      : create(file, found.bytes, folder, change),
  };
}
