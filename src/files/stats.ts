import { type Stats, statSync } from "node:fs";

/** What a path leads to; undefined for what is not there, or not ours to look at. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
