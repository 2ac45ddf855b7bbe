// Reads what may be missing, unreadable or damaged: whoever asks goes on without it.

import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { codeOf } from "../../errors.ts";

/** The text of a file; undefined if it is missing or unreadable. */
export function textAt(path: string): string | undefined {
  return orNothing(() => readFileSync(path, "utf8"));
}

/** The text of a file; undefined if it is missing. Throws the system's error if it is unreadable. */
export function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The names in a folder, sorted; none if it is missing or unreadable. */
export function namesIn(folder: string): string[] {
  return orNothing(() => readdirSync(folder).sort()) ?? [];
}

/** The same with what each is. */
export function entriesIn(folder: string): Dirent[] {
  return orNothing(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** The value of a JSON text; undefined if it is damaged. */
export function parsed(json: string): unknown {
  return orNothing(() => JSON.parse(json));
}

/** What is read; undefined where that throws. */
export function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** What a file's stamp changes with; "none" if it is missing or unreadable. */
export function fileStamp(path: string): string {
  const stats = statsOf(path);
  return stats === undefined ? "none" : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}

/** A function that reads a file again only if it has changed, or another one was read since. */
export function whileUnchanged<T>(read: (path: string) => T): (path: string) => T {
  let last: { readonly path: string; readonly stamp: string; readonly value: T } | undefined;
  return (path) => {
    const stamp = fileStamp(path);
    if (last?.path !== path || last.stamp !== stamp) last = { path, stamp, value: read(path) };
    return last.value;
  };
}

/** The target of a path; undefined if it is missing or unreadable. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
