import { basename, join } from "node:path";
import { type FileChange, restoring, restoringBeside } from "../../core/change/change.ts";
import { refuseForeign } from "../../core/change/own.ts";
import { MemoError } from "../../errors.ts";
import { archiveOf, bytesOf, originalPath, wayTo } from "../../core/ledger/archive.ts";
import { type ChangeKind, type Logged, readChanges } from "../../core/ledger/change_log.ts";
import { memoryIn } from "../../core/memory/file.ts";
import type { Found } from "../../core/ledger/find.ts";
import type { MemoryFile, MemoryFolder } from "../../core/memory/memory.ts";
import { realPath } from "../../core/memory/project.ts";
import { previousVersion, versionAt, type When } from "../../core/ledger/versions.ts";
import { statsOf } from "../../core/files/stats.ts";
import { changeAs, type Changed, type Doing } from "./changed.ts";

/** What was restored, and whether that is what was there. */
export type Restored = Changed & { readonly path: string };

/** Makes a memory, in use or archived, what it was at a time, or right after a change. */
export async function restoreVersion(
  { memory, folder, archived }: Pick<Found, "folder" | "archived"> & {
    readonly memory: Pick<MemoryFile, "path" | "name">;
  },
  when: When,
  doing: Doing,
): Promise<Restored> {
  refuseForeign({ memory, folder }, "restore");
  const path = archived ? originalPath(memory.path, folder) : memory.path;
  const place = { folder, file: wayTo(realPath(path), realPath(folder.path)) };
  const found = versionAt(place, when);
  if (found.kind === "version") return await written(restoring(place, found.bytes), doing);
  throw new MemoError(
    "not-found",
    `Cannot restore \`${memory.name}\` as of then: ${found.because}`,
    { hint: `Run \`memo log ${place.file}\` to see its versions` },
  );
}

/**
 * Brings an archived memory back. Where memo has rewritten the memory since, its version before takes its place, unless
 * the very file is named; where another memory has its file name by now, it stands beside it.
 */
export async function restoreArchived(
  { memory, folder }: Found,
  { isNamed }: { readonly isNamed: boolean },
  doing: Doing,
): Promise<Restored & { readonly archived?: string }> {
  const path = originalPath(memory.path, folder);
  const file = { folder, file: wayTo(path, folder.path) };
  const previous = isNamed || statsOf(path) === undefined ? undefined : previousVersion(file);
  if (previous !== undefined) return await written(restoring(file, previous), doing);
  const bytes = bytesOf(memory.path, join(memory.path, ".."));
  if (bytes === undefined) {
    throw new MemoError("not-found", `Cannot read \`${memory.path}\` in the archive`, {
      hint: "Run `memo list --archived` to see what is there",
    });
  }
  const there = bytesOf(path, folder.path);
  const isSame = there !== undefined && memoryIn(there, "").name === memory.name;
  const change = isNamed && isSame ? restoring(file, bytes) : restoringBeside(file, bytes);
  // The age of a memory without a date is that of its file.
  const modified = new Date(memory.mtimeMs);
  const restored = await written(change.kind === "add" ? { ...change, modified } : change, doing);
  return { ...restored, archived: memory.path };
}

async function written(change: FileChange, doing: Doing): Promise<Restored> {
  const target = change.kind === "add" ? join(change.folder.path, change.file) : change.path;
  const was = bytesOf(target, change.folder.path);
  const restored = await changeAs("Restored", (group) => [{ ...change, group }], doing);
  const { path, memory: { name } } = restored.done[0]!;
  const now = bytesOf(path, change.folder.path);
  const isSame = was !== undefined && now !== undefined && Buffer.compare(was, now) === 0;
  return { ...restored, path, ...isSame && { said: `“${name}” is as it was already` } };
}

/** The archived files that memo has left where it moved a memory to another folder: nothing was lost with them. */
export function movedIn(folders: readonly MemoryFolder[]): Set<string> {
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

/** Whether words name the very file of a memory. */
export function isFileOf(words: string, { path }: Pick<MemoryFile, "path">): boolean {
  return words.endsWith(basename(path));
}
