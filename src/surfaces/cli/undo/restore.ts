import { basename } from "node:path";
import { MemoError } from "../../../errors.ts";
import { originalName } from "../../../core/ledger/archive.ts";
import { readMemoryFile } from "../../../core/memory/folder.ts";
import { mayChange, type MemoryFile } from "../../../core/memory/memory.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import type { When } from "../../../core/ledger/change_log.ts";
import {
  isFileOf,
  movedIn,
  restoreArchived,
  restoreVersion,
} from "../../../features/verbs/undo.ts";
import { surroundings } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { findOne, lookUpHere, settled } from "../shared/find.ts";
import { outJson, outPath, say } from "../shared/output.ts";

/** Brings back a version of a memory: at a time, or without one the last that is in the archive. */
export async function restore(
  name: string,
  { when, json }: { readonly when: When | undefined; readonly json: boolean | undefined },
  context: CliContext,
): Promise<void> {
  const restored = when === undefined ? await lastVersion(name, context) : {
    ...await restoreVersion(
      await findOne([name], context, { among: "both" }),
      when,
      surroundings(context),
    ),
    archived: undefined,
  };
  const { path, said, archived, done: [done] } = restored;
  if (json) {
    const { name, type, scope } = readMemoryFile(path, done!.change.folder.scope);
    return outJson({ name, type, scope, path, ...archived !== undefined && { archived } });
  }
  outPath(path);
  say(said);
  if (archived !== undefined && basename(path) !== originalName(archived)) {
    say(`hint: \`${originalName(archived)}\` exists too; run \`memo forget\` on one of them`);
  }
}

/** Restores the archived file that is named, else the memory's last version. */
async function lastVersion(name: string, context: CliContext) {
  const folders = memoryFolders(context.place).filter(({ scope }) => mayChange(scope));
  const moved = movedIn(folders);
  const lookUp = (isMeant?: (memory: MemoryFile) => boolean) =>
    lookUpHere([name], context, { folders, among: "archived", isMeant });
  const lookup = lookUp((memory) => !moved.has(memory.path) || isFileOf(name, memory));
  if (lookup.kind === "missing" && lookUp().kind !== "missing") {
    throw new MemoError(
      "not-found",
      `Cannot restore \`${name}\`: it was only moved, and is in use`,
      { hint: `Run \`memo log ${name}\` to see its changes, \`memo undo ID\` to take one back` },
    );
  }
  const found = await settled(lookup);
  const isNamed = isFileOf(name, found.memory);
  return await restoreArchived(found, { isNamed }, surroundings(context));
}
