import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The path of what a path leads to, all links followed; throws where it leads to nothing. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    // Bun resolves paths through `/proc`, which a bare chroot does not have.
    if (existsSync(path)) return followLinks(resolve(path));
    throw error;
  }
}

/** Follows the links of an absolute path that exists, one part at a time. */
export function followLinks(path: string): string {
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(followLinks(parent), basename(path));
  if (!lstatSync(here).isSymbolicLink()) return here;
  return followLinks(resolve(dirname(here), readlinkSync(here)));
}
