import { type Stats, statSync } from "node:fs";

/** The target of a path; undefined if it is missing or unreadable. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
