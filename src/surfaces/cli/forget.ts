import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Done } from "../../core/change/carry_out.ts";
import { refuseForeign } from "../../core/change/change.ts";
import { MemoError } from "../../errors.ts";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { mayChange, type MemoryFile } from "../../core/memory/memory.ts";
import { originalPath, relativePathOf } from "../../core/ledger/archive.ts";
import { memoryFolders, realPath } from "../../core/memory/scopes.ts";
import { isSelected, readMemories, type Selection } from "../../core/memory/list.ts";
import { digestOf } from "../../core/memory/trust.ts";
import type { Erasable } from "../../features/upkeep/mod.ts";
import { forget } from "../../features/verbs/edit.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { counted } from "../../core/text/counted.ts";
import { addFilters, type Flags, selectionIn } from "./shared/options.ts";
import { findEach, idHere, NAMES } from "./shared/find.ts";
import { outJson, outPath, say } from "./shared/output.ts";

interface ForgetOptions extends Selection, Flags<"yes" | "hard" | "json"> {}

/** `memo forget`: moves memories to the archive; `memo undo` restores them. */
export function define(command: Command, context: CliContext): void {
  addFilters(command)
    .argument("[names...]", `Memories, each by ${NAMES}`)
    .option("--yes", "Forget all memories the filters match; with `--hard`: do not ask")
    .option("--hard", "Delete for good, with all versions and traces; also from the archive")
    .action(async (words: string[], options: ForgetOptions) => {
      if (options.hard) {
        const { eraseAll } = await import("./forget/erase.ts"); // loads the index
        return await eraseAll(await chooseErasable(words, options, context), context, options);
      }
      const chosen = await choose(words, options, context);
      const { said, done } = await forget(chosen, surroundings(context));
      const forgotten = done.map(({ change, path, archived, memory: { name, type } }) => ({
        ...{ name, type, scope: change.folder.scope, path, archived: archived! },
      }));
      if (options.json) return outJson(forgotten.length === 1 ? forgotten[0] : forgotten);
      for (const { archived } of forgotten) outPath(archived);
      const [{ change: { folder }, path }] = done as [Done];
      const id = idHere({ path, scope: folder.scope }, context);
      say(`${said}. Undo: \`memo undo ${id}\``);
    });
}

/** The memories to forget: those that are named, or with `--yes` those that the filters select. */
async function choose(
  words: readonly string[],
  options: ForgetOptions,
  context: CliContext,
): Promise<FoundMemory[]> {
  const passes = (memory: MemoryFile) => isSelected(memory, options);
  if (words.length > 0) {
    return (await findEach(words, context)).filter(({ memory }) => passes(memory));
  }
  if (selectionIn(options) === undefined) {
    throw new MemoError("usage", "Cannot forget without a name or a filter", {
      hint: "Run `memo forget NAME`, or `memo forget --tag TAG --before 90d --yes`",
    });
  }
  const folders = memoryFolders(context.place).filter(({ scope }) => mayChange(scope));
  const selected = folders.flatMap((folder) =>
    readMemories(folder, { passes }).memories.map((memory) => ({ memory, folder, archived: false }))
  );
  if (selected.length === 0) {
    throw new MemoError("not-found", "Cannot forget anything: no memory matches the filters", {
      hint: "Run `memo list` to see all",
    });
  }
  if (options.yes) return selected;
  const names = selected.slice(0, NAMED).map(({ memory }) => `  ${memory.name}`);
  if (selected.length > NAMED) names.push(`  … and ${selected.length - NAMED} more`);
  const count = counted(selected.length, "memory");
  throw new MemoError("usage", `The filters match ${count}:\n${names.join("\n")}`, {
    hint: "Add `--yes` to forget them",
  });
}

/** The memories to delete for good: like those to forget, and archived ones by name. */
async function chooseErasable(
  words: readonly string[],
  options: ForgetOptions,
  context: CliContext,
): Promise<Erasable[]> {
  const chosen = words.length === 0
    ? await choose(words, options, context)
    : await findEach(words, context, { among: "both", exact: true });
  return chosen.map((found) => {
    refuseForeign(found, "forget");
    const { memory: { path }, folder, archived } = found;
    const place = archived ? originalPath(path, folder) : path;
    const file = relativePathOf(realPath(place), realPath(folder.path));
    return { path: place, file, folder, content: digestOf(readFileSync(path)) };
  });
}

/** Maximum memories to name before they are forgotten. */
const NAMED = 10;
