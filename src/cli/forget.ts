import { basename, sep } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { archiveOf, originalPath, wayTo } from "../memory/archive.ts";
import { findMemory } from "../memory/find.ts";
import { memoryFolders, placeIn, realPath } from "../memory/scopes.ts";
import { archive } from "../memory/store.ts";
import { readMemories } from "../memory/list.ts";
import type { MemoryFile } from "../memory/memory.ts";
import type { Erasable } from "../upkeep/erase.ts";
import { afterChange } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { counted } from "./doctor/check.ts";
import { addFilters, type Filters, isFiltered, passes } from "./filters.ts";
import { findAnywhere } from "./find_anywhere.ts";
import { findEach } from "./named.ts";
import { out, outJson, say } from "./output.ts";

interface ForgetOptions extends Filters {
  readonly yes?: boolean;
  readonly hard?: boolean;
  readonly json?: boolean;
}

/** `memo forget`: moves memories to the archive; `memo restore` undoes it. */
export function define(command: Command, context: CliContext): void {
  addFilters(command)
    .argument("[names...]", "Memory names, file names or paths (unique prefixes are enough)")
    .option("--yes", "Forget all memories that the filters select")
    .option("--hard", "Delete them for good, with every version and trace; archived ones too")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: ForgetOptions) => {
      if (options.hard) {
        const { eraseAll } = await import("./erase.ts"); // loads the index
        return await eraseAll(chooseErasable(words, options, context), context, options);
      }
      const chosen = choose(words, options, context);
      const now = new Date();
      const forgotten = chosen.map(({ memory: { name, type, scope, path }, folder }) => ({
        ...{ name, type, scope, path },
        archived: archive(path, folder, { what: "forget", now }),
      }));
      const folders = new Map(chosen.map(({ folder }) => [folder.path, folder]));
      for (const folder of folders.values()) await afterChange(context, folder);
      if (options.json) return outJson(forgotten.length === 1 ? forgotten[0] : forgotten);
      for (const { archived } of forgotten) out(archived + "\n");
      for (const { name, path } of forgotten) {
        say(`Forgot \`${name}\`; run \`memo restore ${basename(path)}\` to undo`);
      }
    });
}

/** The memories to forget: those that are named, or with `--yes` those that the filters select. */
function choose(words: readonly string[], options: ForgetOptions, { cwd, paths }: CliContext) {
  const folders = memoryFolders(placeIn(paths, cwd));
  if (words.length > 0) {
    const named = findEach(words, (name) => findMemory(name, folders, { cwd }));
    for (const { memory, folder } of named) if (folder.scope === "auto") throw notOurs(memory);
    return named.filter(({ memory }) => passes(memory, options));
  }
  if (!isFiltered(options)) {
    throw new MemoError("usage", "Cannot forget without a name or a filter", {
      hint: "Run `memo forget NAME`, or `memo forget --tag TAG --before 90d --yes`",
    });
  }
  const selected = folders.filter(({ scope }) => scope !== "auto").flatMap((folder) =>
    readMemories(folder).memories.filter((memory) => passes(memory, options))
      .map((memory) => ({ memory, folder }))
  );
  if (selected.length === 0) {
    throw new MemoError("not-found", "Cannot forget anything: no memory passes the filters", {
      hint: "Run `memo list` to see all",
    });
  }
  if (options.yes) return selected;
  const names = selected.slice(0, NAMED).map(({ memory }) => `  ${memory.name}`);
  if (selected.length > NAMED) names.push(`  … and ${selected.length - NAMED} more`);
  const count = counted(selected.length, "memory", "memories");
  throw new MemoError("usage", `The filters select ${count}:\n${names.join("\n")}`, {
    hint: "Add `--yes` to forget them",
  });
}

/** The memories to delete for good: like those to forget, and archived ones by name. */
function chooseErasable(
  words: readonly string[],
  options: ForgetOptions,
  context: CliContext,
): Erasable[] {
  const chosen = words.length === 0
    ? choose(words, options, context)
    : findEach(words, (name) => findAnywhere(name, context));
  return chosen.map(({ memory, folder }) => {
    if (folder.scope === "auto") throw notOurs(memory);
    const { path } = memory;
    const isArchived = path.startsWith(archiveOf(folder) + sep);
    const place = isArchived ? originalPath(path, folder) : path;
    return { path: place, file: wayTo(realPath(place), realPath(folder.path)), folder };
  });
}

/** Maximum memories to name before they are forgotten. */
const NAMED = 10;

function notOurs({ name, path }: MemoryFile): MemoError {
  return new MemoError(
    "usage",
    `Cannot forget \`${name}\`: it belongs to Claude Code's auto memory, which memo never changes`,
    { hint: `Delete \`${path}\`, or ask Claude to forget it` },
  );
}
