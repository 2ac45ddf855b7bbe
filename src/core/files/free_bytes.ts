import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

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
