// Where a path leads: all links followed, and the disk that it is on.

import { existsSync, lstatSync, readlinkSync, realpathSync, statfsSync, statSync } from "node:fs";
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

/** The free bytes on the disk of a path that need not exist; undefined if the system does not tell. */
export function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(nearestThere(path));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Whether two paths, which need not exist, are on one disk. */
export function isOneDisk(a: string, b: string): boolean {
  return statSync(nearestThere(a)).dev === statSync(nearestThere(b)).dev;
}

/** The nearest existing ancestor of a path, or the path itself. */
export function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));
}
