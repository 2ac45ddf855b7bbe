import { type Dirent, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isAlive } from "./lock.ts";

/** Begins with the process that made it, and ends in what nobody can foresee. */
const NAME = /^\.memo-new-(\d+)-\w{6}$/;

/**
 * Makes what is to replace a file, in a folder of its own beside it that nobody else can write to. The folder goes again,
 * and so do those of processes that were killed.
 */
export function withFolderBeside<T>(path: string, use: (folder: string) => T): T {
  const parent = dirname(path);
  sweep(parent);
  const folder = mkdtempSync(join(parent, `.memo-new-${process.pid}-`));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sweep(parent: string): void {
  try {
    for (const entry of readdirSync(parent, { withFileTypes: true })) {
      if (!isAbandoned(entry, parent)) continue;
      rmSync(join(parent, entry.name), { recursive: true, force: true });
    }
  } catch {
    /* a folder that may not be listed, or on Windows a program that still runs: another time */
  }
}

/** Whether an entry is a folder that a process of this user left behind. */
function isAbandoned(entry: Dirent, parent: string): boolean {
  const [, owner] = NAME.exec(entry.name) ?? [];
  if (owner === undefined || !entry.isDirectory() || isAlive(Number(owner))) return false;
  const uid = process.getuid?.();
  return uid === undefined || lstatSync(join(parent, entry.name)).uid === uid;
}
