// The name under which hooks start memo. A package manager gives each version a place of its own and keeps a link to it on
// the search path: hooks that name the place stop with the next upgrade, hooks that name the link do not.

import { join } from "node:path";
import type { Command } from "../../core/link/self.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import { safeFolders, type SearchOptions } from "../../core/files/search_path.ts";

/** The link to an executable in a folder of a search path that programs may be run from; undefined if there is none. */
export function linkTo(
  executable: string,
  searchPath: string,
  options: SearchOptions,
): string | undefined {
  return safeFolders(searchPath, options).map((folder) => join(folder, "memo"))
    .find((path) => path !== executable && isSameFile(path, executable));
}

/** A program under the name that it has already, if one of those leads to the same executable. */
export function asNamed(self: Command, names: readonly (string | undefined)[]): Command {
  if (self.args.length > 0) return self; // Deno, with memo's sources
  const known = names.find((name) => name !== undefined && isSameFile(name, self.command));
  return known === undefined ? self : { ...self, command: known };
}

/** Whether two paths lead to one file. */
export function isSameFile(path: string, other: string): boolean {
  try {
    return realPathOf(path) === realPathOf(other);
  } catch {
    return false; // one of them does not exist
  }
}
