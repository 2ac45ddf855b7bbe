import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Command } from "commander";
import { carryOutOne } from "../change/carry_out.ts";
import { type FileChange, restoring, restoringBeside } from "../change/change.ts";
import { refuseForeign } from "../change/own.ts";
import { MemoError } from "../errors.ts";
import { archiveOf, bytesOf, originalName, originalPath, wayTo } from "../memory/archive.ts";
import { type ChangeKind, type Logged, readChanges } from "../memory/change_log.ts";
import { parseMemory } from "../memory/file.ts";
import { mayChange, type MemoryFile, type MemoryFolder } from "../memory/memory.ts";
import { readMemoryFile } from "../memory/folder.ts";
import { realPath } from "../memory/project.ts";
import { memoryFolders } from "../memory/scopes.ts";
import { type FileIn, previousVersion, versionAt } from "../memory/versions.ts";
import { statsOf } from "../files/stats.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { findOne, lookUpHere, NAMES, settled } from "./shared/find.ts";
import { outJson, outPath, say } from "./shared/output.ts";
import { splitMoment } from "./shared/moment.ts";

/** `memo restore`: restores a memory from the archive, or an earlier version of one. */
export function define(command: Command, context: CliContext): void {
  command
    .argument(
      "<name[@time]...>",
      `Memory: ${NAMES}; \`@TIME\`: its version at that time`,
    )
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const { name, when } = splitMoment(words.join(" "));
      const { change, archived } = when === undefined ? await lastVersion(name, context) : {
        change: versionOf(await inUseOrNot(name, context), { name, when }),
        archived: undefined,
      };
      const was = bytesOf(targetOf(change), change.folder.path);
      const { path } = await carryOutOne(change, surroundings(context));
      const memory = readMemoryFile(path, change.folder.scope);
      if (options.json) {
        const { name, type, scope } = memory;
        return outJson({ name, type, scope, path, ...archived !== undefined && { archived } });
      }
      outPath(path);
      const isSame = was !== undefined && Buffer.compare(was, readFileSync(path)) === 0;
      say(isSame ? `“${memory.name}” is as it was already` : `Restored “${memory.name}”`);
      if (archived !== undefined && basename(path) !== originalName(archived)) {
        say(`hint: \`${originalName(archived)}\` exists too; run \`memo forget\` on one of them`);
      }
    });
}

/** The path that a change writes. */
function targetOf(change: FileChange): string {
  return change.kind === "add" ? join(change.folder.path, change.file) : change.path;
}

interface Wanted {
  readonly change: FileChange;
  /** The archived file that is copied, if it was chosen by name. */
  readonly archived?: string;
}

/** The archived file that is named, else the memory's last version; if memo has rewritten the memory, in its place. */
async function lastVersion(name: string, context: CliContext): Promise<Wanted> {
  const folders = memoryFolders(context.place).filter(({ scope }) => mayChange(scope));
  const moved = movedIn(folders);
  const isNamedFile = (path: string) => name.endsWith(basename(path));
  const lookUp = (isMeant?: (memory: MemoryFile) => boolean) =>
    lookUpHere([name], context, { folders, among: "archived", isMeant });
  const lookup = lookUp(({ path }) => !moved.has(path) || isNamedFile(path));
  if (lookup.kind === "missing" && lookUp().kind !== "missing") {
    throw new MemoError(
      "not-found",
      `Cannot restore \`${name}\`: it was only moved, and is in use`,
      {
        hint: `Run \`memo log ${name}\` to see its changes, \`memo undo ID\` to take one back`,
      },
    );
  }
  const { memory, folder } = await settled(lookup);
  const path = originalPath(memory.path, folder);
  const file = { folder, file: wayTo(path, folder.path) };
  const isNamed = isNamedFile(memory.path);
  const previous = isNamed || statsOf(path) === undefined ? undefined : previousVersion(file);
  if (previous !== undefined) return { change: restoring(file, previous) };
  const bytes = bytesOf(memory.path, join(memory.path, ".."));
  if (bytes === undefined) {
    throw new MemoError("not-found", `Cannot read \`${memory.path}\` in the archive`, {
      hint: "Run `memo list --archived` to see what is there",
    });
  }
  const there = bytesOf(path, folder.path);
  const isSame = there !== undefined && nameIn(there) === memory.name;
  const change = isNamed && isSame ? restoring(file, bytes) : restoringBeside(file, bytes);
  // The age of a memory without a date is that of its file.
  const modified = new Date(memory.mtimeMs);
  return {
    change: change.kind === "add" ? { ...change, modified } : change,
    archived: memory.path,
  };
}

/** The archived files that memo has left where it moved a memory to another folder: nothing was lost with them. */
function movedIn(folders: readonly MemoryFolder[]): Set<string> {
  const changes = readChanges(folders);
  const hasCome = ({ folder, group, name }: Logged) =>
    changes.some((other) =>
      other.group === group && other.folder !== folder && other.name === name &&
      other.after !== undefined
    );
  return new Set(
    changes.filter((change) => MOVES.includes(change.what) && change.group && hasCome(change))
      .flatMap(({ before, after, folder }) =>
        before === undefined || after !== undefined ? [] : join(archiveOf(folder), before.archived)
      ),
  );
}

/** `undo`: of a move. */
const MOVES: readonly ChangeKind[] = ["share", "move", "undo"];

function nameIn(bytes: Uint8Array): string {
  return parseMemory(new TextDecoder().decode(bytes), { fallbackName: "" }).memory.name;
}

/** The place of a memory that is in use or in the archive. */
async function inUseOrNot(name: string, context: CliContext): Promise<FileIn> {
  const found = await findOne([name], context, { among: "both" });
  refuseForeign(found, "restore");
  const { memory, folder, archived } = found;
  const path = archived ? originalPath(memory.path, folder) : memory.path;
  return { folder, file: wayTo(realPath(path), realPath(folder.path)) };
}

function versionOf(
  place: FileIn,
  { name, when }: { readonly name: string; readonly when: Parameters<typeof versionAt>[1] },
): FileChange {
  const found = versionAt(place, when);
  if (found.kind === "version") return restoring(place, found.bytes);
  throw new MemoError("not-found", `Cannot restore \`${name}\` as of then: ${found.because}`, {
    hint: `Run \`memo log ${place.file}\` to see its versions`,
  });
}
