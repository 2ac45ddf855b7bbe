import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Paths, stateEntries } from "../../paths.ts";
import { TEMPORARY } from "../../core/files/atomic.ts";
import { removeIfEmpty } from "./init_record.ts";

/** The paths that `purgeState` deletes, but for the state folder itself. */
export function statePaths(paths: Paths): string[] {
  return [...stateEntries(paths), ...abandoned(paths.state)].filter((path) => existsSync(path));
}

/**
 * Deletes memo's files in the state folder, by name, and the folder itself if nothing else is left.
 * Never a memory and never settings: `$MEMO_HOME` may be a folder that holds other things too.
 * Returns the paths that were deleted.
 */
export function purgeState(paths: Paths): string[] {
  const { state, home } = paths;
  const deleted = statePaths(paths);
  for (const path of deleted) rmSync(path, { recursive: true, force: true });
  if (existsSync(state) && readdirSync(state).length === 0) {
    rmdirSync(state);
    deleted.push(state);
    removeEmptyAbove(state, home);
  }
  return deleted;
}

/** Removes the folders above one, up to the home folder, that have become empty: `~/.local/share`. */
function removeEmptyAbove(path: string, home: string): void {
  for (let folder = dirname(path); folder.startsWith(home + sep); folder = dirname(folder)) {
    removeIfEmpty(folder);
  }
}

/** Temporary files of interrupted writes. */
function abandoned(state: string): string[] {
  if (!existsSync(state)) return [];
  return readdirSync(state).filter((name) => TEMPORARY.test(name)).map((name) => join(state, name));
}
