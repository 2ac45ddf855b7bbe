// Reverts logged changes, byte for byte: to the version that the log names, and only where nothing has changed since.

import { join } from "node:path";
import { messageOf } from "../errors.ts";
import { bytesOf, versionBytes } from "./archive.ts";
import { isOf, type Logged, logged, newChangeId, readChanges } from "./change_log.ts";
import type { MemoryFolder } from "./memory.ts";
import { archive, type ChangeOptions, create, rewrite } from "./store.ts";
import { appendSuggestions } from "./suggested.ts";
import { digestOf } from "./trust.ts";

/** A change that could not be reverted. */
export interface Unreverted {
  readonly change: Logged;
  readonly because: string;
}

/** The result of reverting some changes. */
export interface Reverted {
  readonly reverted: readonly Logged[];
  /** Memory files that have been written; memo vouches for them in a shared folder. */
  readonly written: readonly { readonly path: string; readonly folder: MemoryFolder }[];
  readonly left: readonly Unreverted[];
}

export interface RevertOptions {
  readonly now: Date;
  /** The file of suggested triggers, to take back those of an enriched memory. */
  readonly suggestions: string;
}

/**
 * Reverts the change, the group or the whole run with an id, newest first. Changes of one group go together: if a
 * memory of it has changed since, all of the group is left alone.
 */
export function revertChange(
  id: string,
  folders: readonly MemoryFolder[],
  { now, suggestions }: RevertOptions,
): Reverted {
  const changes = readChanges(folders).filter((change) => isOf(change, id) && !change.undone);
  const units = Map.groupBy(changes.toReversed(), ({ id, group }) => group ?? id);
  const reverted: Logged[] = [];
  const written: { path: string; folder: MemoryFolder }[] = [];
  const left: Unreverted[] = [];
  for (const unit of units.values()) {
    const group = unit.length > 1 ? newChangeId() : undefined;
    const problems = unit.flatMap((change) => {
      const because = hindranceOf(change, unit);
      return because === undefined ? [] : [{ change, because }];
    });
    left.push(...problems);
    if (problems.length > 0) continue;
    for (const change of unit) {
      try {
        const options = { what: "undo", now, group, undoes: [change.id] } as const;
        const path = change.key === undefined
          ? revertOne(change, options)
          : takeBack(change, { ...options, suggestions });
        reverted.push(change);
        if (path !== undefined) written.push({ path, folder: change.folder });
      } catch (error) {
        left.push({ change, because: messageOf(error) });
      }
    }
  }
  return { reverted, written, left };
}

/** Why a change cannot be reverted; undefined if it can. */
function hindranceOf(change: Logged, unit: readonly Logged[]): string | undefined {
  const { before, after, folder, key, file } = change;
  const path = join(folder.path, file);
  if (key !== undefined) return undefined;
  if (before === undefined && after === undefined) return "no earlier version of it was kept";
  if (before !== undefined && versionBytes(before, { path, folder }) === undefined) {
    return "its earlier version is no longer in the archive";
  }
  // Changes of one group to one file are reverted one after the other.
  const isLast = unit.find((other) => other.file === file) === change;
  const there = bytesOf(path, folder.path);
  const digest = there && digestOf(there);
  if (!isLast || digest === after || digest === before?.digest) return undefined;
  return there === undefined ? "the memory has been removed since" : "it has changed since";
}

/** Takes the suggested triggers of a memory back; no others are asked for. */
function takeBack(
  { folder, name, type, file, key }: Logged,
  { suggestions, now, ...options }: ChangeOptions & RevertOptions,
): undefined {
  const at = now.toISOString();
  logged(folder, { ...options, at, name, type, file }, () => {
    appendSuggestions(suggestions, [{ key: key!, triggers: [], at }]);
  });
}

/** Reverts a change and returns the file that was written; it does nothing if the file is as before already. */
function revertOne(change: Logged, options: ChangeOptions): string | undefined {
  const { before, after, folder, file } = change;
  const path = join(folder.path, file);
  const there = bytesOf(path, folder.path);
  if (before === undefined) {
    if (after !== undefined && there !== undefined) archive(path, folder, options);
    return undefined;
  }
  if (there !== undefined && digestOf(there) === before.digest) return path;
  const bytes = versionBytes(before, { path, folder })!;
  return there === undefined
    ? create(file, bytes, folder, options)
    : rewrite(path, bytes, folder, options);
}
