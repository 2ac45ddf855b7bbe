import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";

/** The free bytes on the disk of a path that need not exist; undefined if the system does not tell. */
export function freeBytes(path: string): number | undefined {
  if (!existsSync(path) && dirname(path) !== path) return freeBytes(dirname(path));
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
