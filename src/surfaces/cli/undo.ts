import { basename } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { CHANGES, type Logged, readChanges, type When } from "../../core/ledger/change_log.ts";
import type { Reverted } from "../../core/change/revert.ts";
import { listArchive, originalName } from "../../core/ledger/archive.ts";
import { everyFolder, memoryFolders } from "../../core/memory/scopes.ts";
import { visible } from "../../core/text/neutralise.ts";
import {
  isChangeId,
  lastChange,
  movedIn,
  restoreArchived,
  restoreVersion,
  undo,
} from "../../features/verbs/undo.ts";
import { printChange, surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { changesFor } from "./log.ts";
import { findOne, lookUpHere, NAMES, settled } from "./shared/find.ts";
import { type Flags, splitMoment } from "./shared/options.ts";
import { outJson, outPath, say } from "./shared/output.ts";
import { readMemoryFile } from "../../core/memory/folder.ts";
import { mayChange, type MemoryFile } from "../../core/memory/memory.ts";

/** How many changes that were passed over are named. */
const NAMED = 3;

const NEIGHBOURS = `
To find ids and times: \`memo log\`
To revert a whole dream: \`memo dream --undo\`
To make a shared memory private again: \`memo share --undo NAME\``;

/** `memo undo`: reverts the last change, the last one of a memory, or the one with an id; or restores a version. */
export function define(command: Command, context: CliContext): void {
  command
    .argument(
      "[name[@time]...]",
      `Memory whose last change to revert: ${NAMES}; or the id of a change or run; \`NAME@TIME\` restores its version at that time`,
    )
    .option("--archived", "Restore a memory, or exactly this file, from the archive")
    .addHelpText("after", NEIGHBOURS)
    .action(async (words: string[], options: Flags<"archived" | "json">) => {
      const { name, when } = splitMoment(words.join(" "));
      const isArchived = options.archived || isArchivedFile(name, context);
      if (when !== undefined || isArchived) {
        return await restore(name, { when, json: options.json }, context);
      }
      const { paths, place } = context;
      const { id, passed } = await meant(name, context);
      // What was done in one step is reverted in one, in whatever projects it was.
      const result = await undo(id, everyFolder(place), { ...surroundings(context), paths });
      if (options.json) outJson(toJson(result));
      else {
        report(result);
        if (passed.length > 0) printPassedOver(passed);
      }
      if (result.reverted.length === 0 || result.left.length > 0) process.exitCode = 1;
    });
}

/** Whether a file of the archive is named, which has been a version of a memory. */
function isArchivedFile(name: string, { place }: CliContext): boolean {
  return name.endsWith(".md") &&
    memoryFolders(place).some((folder) =>
      listArchive(folder).some(({ path }) => path.endsWith(`/${basename(name)}`))
    );
}

/** What to undo: the id of a change, of its group, or of the run that it is a part of; and newer changes that stay. */
async function meant(name: string, context: CliContext) {
  const { place } = context;
  if (isChangeId(name, readChanges(memoryFolders(place)))) return { id: name, passed: [] };
  const last = lastChange(await changesFor(name, context), { isNamed: name !== "" });
  if (last !== undefined) return last;
  const what = name === ""
    ? "memo has changed nothing here"
    : `\`${name}\` has no change left to revert`;
  throw new MemoError("not-found", `Cannot undo: ${what}`, {
    hint: "Run `memo log` to see the changes, `memo undo NAME --archived` to restore a memory",
  });
}

function report({ reverted, written, left }: Reverted): void {
  for (const path of written) outPath(path);
  // An import can be thousands of memories, and is one thing that a person did.
  const imported = reverted.filter(({ what }) => what === "import").length;
  if (imported > 1) say(`Undid: imported ${imported} memories`);
  const others = reverted.filter(({ what }) => imported <= 1 || what !== "import");
  // A memory that was moved was added in one place, and archived in another.
  for (const change of new Set(others.map(inWords))) say(`Undid: ${change}`);
  for (const { change, because } of left) {
    say(`warning: Cannot undo: ${inWords(change)}: ${because}`);
  }
  if (left.length > 0) say("hint: Run `memo log NAME`, then `memo undo NAME@TIME`");
}

function printPassedOver(changes: readonly Logged[]): void {
  const passed = [...new Map(changes.map((each) => [each.group ?? each.id, each])).values()];
  const named = passed.slice(0, NAMED).map((change) => `${inWords(change)} (${change.id})`);
  const more = passed.length > NAMED ? [`${passed.length - NAMED} more`] : [];
  const all = [...named, ...more].join(", ");
  say(`Skipped, newer: ${all}. Revert one: \`memo undo ID\``);
}

function inWords({ what, name }: Logged): string {
  return `${CHANGES[what]} “${visible(name)}”`;
}

function toJson({ reverted, left }: Reverted) {
  const short = ({ id, what, name, folder: { scope }, file }: Logged) => ({
    ...{ id, what, name, scope, file },
  });
  return {
    undone: reverted.map(short),
    left: left.map(({ change, because }) => ({ ...short(change), because })),
  };
}

/** Brings back a version of a memory: at a time, or without one the last that is in the archive. */
async function restore(
  name: string,
  { when, json }: { readonly when: When | undefined; readonly json: boolean | undefined },
  context: CliContext,
): Promise<void> {
  const { path, said, archived, done: [done] } = when === undefined
    ? await lastVersion(name, context)
    : await restoreVersion(
      await findOne([name], context, { among: "both" }),
      when,
      surroundings(context),
    );
  const file = archived === undefined ? basename(path) : originalName(archived);
  const beside = basename(path) === file
    ? ""
    : `\nhint: \`${file}\` exists too; run \`memo forget\` on one of them`;
  const more = archived !== undefined && { archived };
  const memory = readMemoryFile(path, done!.change.folder.scope);
  printChange(memory, said + beside, { json, ...more });
}

/** Restores the archived file that is named, else the memory's last version. */
async function lastVersion(name: string, context: CliContext) {
  const folders = memoryFolders(context.place).filter(({ scope }) => mayChange(scope));
  const moved = movedIn(folders);
  const lookUp = (isMeant?: (memory: MemoryFile) => boolean) =>
    lookUpHere([name], context, { folders, among: "archived", isMeant });
  const isNamed = ({ path }: MemoryFile) => name.endsWith(basename(path));
  const lookup = lookUp((memory) => !moved.has(memory.path) || isNamed(memory));
  if (lookup.kind === "missing" && lookUp().kind !== "missing") {
    throw new MemoError(
      "not-found",
      `Cannot restore \`${name}\`: it was only moved, and is in use`,
      {
        hint: `Run \`memo log ${name}\` to see its changes, \`memo undo ID\` to revert one`,
      },
    );
  }
  const found = await settled(lookup);
  const options = { isNamed: isNamed(found.memory) };
  return await restoreArchived(found, options, surroundings(context));
}
