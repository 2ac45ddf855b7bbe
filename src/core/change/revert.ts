// Reverts logged changes, byte for byte: to the version that the log names, and only where nothing has changed since.

import { join } from "node:path";
import { bytesOf, versionBytes } from "../ledger/archive.ts";
import { isOf, type Logged, logged, newChangeId, readChanges } from "../ledger/change_log.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { appendSuggestions } from "../memory/names.ts";
import { digestOf } from "../memory/trust.ts";
import { carryOut } from "./carry_out.ts";
import type { FileChange } from "./change.ts";
import type { Surroundings } from "./follow.ts";

/** The result of reverting some changes. */
export interface Reverted {
  readonly reverted: readonly Logged[];
  /** The memory files that have been written. */
  readonly written: readonly string[];
  /** Changes that could not be reverted. */
  readonly left: readonly { readonly change: Logged; readonly because: string }[];
}

interface RevertOptions extends Surroundings {
  /** The file of suggested triggers, to take back those of an enriched memory. */
  readonly suggestions: string;
}

/**
 * Reverts the change, the group or the whole run with an id. Changes of one group go together: if a memory of it has
 * changed since, all of the group is left alone.
 */
export async function revertChange(
  id: string,
  folders: readonly MemoryFolder[],
  options: RevertOptions,
): Promise<Reverted> {
  const changes = readChanges(folders).filter((change) => isOf(change, id) && !change.undone);
  const units = Map.groupBy(changes.toReversed(), ({ id, group }) => group ?? id);
  const reverted: Logged[] = [];
  const left: Reverted["left"][number][] = [];
  const planned = new Map<FileChange, readonly Logged[]>();
  for (const unit of units.values()) {
    const problems = unit.flatMap((change) => {
      const because = whyNot(change, unit);
      return because === undefined ? [] : [{ change, because }];
    });
    left.push(...problems);
    if (problems.length > 0) continue;
    const group = unit.length > 1 ? newChangeId() : undefined;
    for (const change of unit.filter(({ key }) => key !== undefined)) {
      takeBack(change, { ...options, group });
      reverted.push(change);
    }
    const files = Map.groupBy(
      unit.filter(({ key }) => key === undefined),
      ({ folder, file }) => join(folder.path, file),
    );
    for (const [path, changes] of files) {
      const reversal = reversalOf(path, changes, group);
      if (reversal === undefined) reverted.push(...changes);
      else planned.set(reversal, changes);
    }
  }
  const applied = await carryOut([...planned.keys()], {
    ...options,
    onFailure: (change, because) =>
      left.push(...planned.get(change)!.map((change) => ({ change, because }))),
  });
  const done = applied.done.flatMap(({ change }) => planned.get(change)!);
  const written = applied.done.filter(({ change }) => change.kind !== "archive");
  return { reverted: [...reverted, ...done], written: written.map(({ path }) => path), left };
}

function whyNot(change: Logged, unit: readonly Logged[]): string | undefined {
  const { before, after, folder, key, file } = change;
  const path = join(folder.path, file);
  if (key !== undefined) return undefined;
  if (before === undefined && after === undefined) return "no earlier version was kept";
  if (before !== undefined && versionBytes(before, { path, folder }) === undefined) {
    return "its earlier version is no longer in the archive";
  }
  // Of several changes of one file, the last one tells whether the file has changed since.
  const isLast = unit.find((other) => other.file === file && other.folder === folder) === change;
  const there = bytesOf(path, folder.path);
  const digest = there && digestOf(there);
  if (!isLast || digest === after || digest === before?.digest) return undefined;
  return there === undefined ? "the memory was removed since" : "it has changed since";
}

/** Takes back what is state and no file, as suggested triggers, for which no others are asked. */
function takeBack(
  { id, folder, what, name, type, file, key, apart }: Logged,
  { suggestions, now, group }: RevertOptions & { readonly group: string | undefined },
): void {
  const at = now.toISOString();
  logged(folder, { what: "undo", at, name, type, file, group, undoes: [id] }, () => {
    if (apart !== undefined || what === "settle") return; // the log itself says it
    appendSuggestions(suggestions, [{ key: key!, triggers: [], at }]);
  });
}

/** The change from a file as it is now to what it was before some changes, newest first; undefined if it is so already. */
function reversalOf(
  path: string,
  changes: readonly Logged[],
  group: string | undefined,
): FileChange | undefined {
  const { folder, file, before } = changes.at(-1)!;
  const there = bytesOf(path, folder.path);
  const present = there && digestOf(there);
  const common = { folder, what: "undo", group, undoes: changes.map(({ id }) => id) } as const;
  if (before === undefined) {
    return present === undefined
      ? undefined
      : { kind: "archive", path, before: present, ...common };
  }
  if (present === before.digest) return undefined;
  const text = versionBytes(before, { path, folder })!;
  return present === undefined
    ? { kind: "add", file, text, ...common }
    : { kind: "replace", path, before: present, text, ...common };
}
