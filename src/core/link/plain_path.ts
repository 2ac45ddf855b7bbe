// What a hook needs of `node:path` and `node:os`. Loading them takes it 0.7 ms, and only unusual paths need them.

import { MemoError } from "../../errors.ts";

/** An absolute path of POSIX without anything to resolve in it. */
const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/;

/** `join` of `node:path`. */
export function join(folder: string, ...names: string[]): string {
  const path = [folder, ...names].join("/");
  return folder !== "" && isPlain(path) ? path : platform("node:path").join(folder, ...names);
}

/** `join` of one folder with plain names: the folder alone is looked at, and once. */
export function namesIn(folder: string): (name: string) => string {
  return isPlain(folder) ? (name) => `${folder}/${name}` : (name) => join(folder, name);
}

/** `resolve` of `node:path`, of one path. */
export function resolve(path: string): string {
  return isPlain(path) ? path : platform("node:path").resolve(path);
}

/** `isAbsolute` of `node:path`. */
export function isAbsolute(path: string): boolean {
  return isPlain(path) || platform("node:path").isAbsolute(path);
}

/** `dirname` of `node:path`. */
export function dirname(path: string): string {
  const end = path.lastIndexOf("/");
  return end > 0 && isPlain(path) ? path.slice(0, end) : platform("node:path").dirname(path);
}

/** `homedir` of `node:os`; a user whom the system does not know has none. */
export function homedir(): string {
  let home = "";
  try {
    home = platform("node:os").homedir();
  } catch {
    // its error names a system call
  }
  if (home !== "") return home;
  throw new MemoError("file", "Cannot find your home folder", { hint: "Set `HOME` to it" });
}

const platform = process.getBuiltinModule;

function isPlain(path: string): boolean {
  return process.platform !== "win32" && PLAIN.test(path);
}
