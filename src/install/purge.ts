import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Paths } from "../paths.ts";
import { recordsPath } from "./record.ts";

/** The paths that `purgeState` deletes, but for the state folder itself. */
export function statePaths(paths: Paths): string[] {
  const { home: _, claude: __, userMemory: ___, state, config, ...parts } = paths;
  const names = [...Object.values(parts), recordsPath(state), ...sideFiles(paths.db)]
    .filter((path) => isInside(path, state) || path === paths.run);
  return names.filter((path) => existsSync(path) && path !== config);
}

/**
 * Deletes memo's state: what memo put into the state folder, by name, and the folder itself when nothing else is left.
 * Never a memory and never `config.yaml`: `$MEMO_HOME` may be a folder that holds other things too.
 * Returns the paths that were deleted.
 */
export function purgeState(paths: Paths): string[] {
  const { state } = paths;
  const deleted = statePaths(paths);
  for (const path of deleted) rmSync(path, { recursive: true, force: true });
  if (existsSync(state) && readdirSync(state).length === 0) {
    rmdirSync(state);
    deleted.push(state);
  }
  return deleted;
}

/** The database's journal and shared memory, which lie beside it. */
function sideFiles(db: string): string[] {
  if (!existsSync(dirname(db))) return [];
  return readdirSync(dirname(db))
    .filter((name) => name.startsWith(`${basename(db)}-`))
    .map((name) => join(dirname(db), name));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..");
}
