import {
  chmodSync,
  copyFileSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import type { Paths } from "../../paths.ts";
import { missingFolders, removeIfEmpty } from "./init_record.ts";
import { isAlive } from "../../core/files/lock.ts";

/** What `install.sh` or `memo init` put on this account, as it recorded it. */
export interface Placed {
  readonly executable: string;
  /** The folders that it made, the deepest first. */
  readonly folders: readonly string[];
}

/** What the installer put here; undefined unless it put this very executable. */
export function placedHere({ placed }: Paths, self: string): Placed | undefined {
  if (!existsSync(placed)) return undefined;
  const [executable = "", ...folders] = readFileSync(placed, "utf8").split("\n").filter(Boolean);
  if (!/^memo(\.exe)?$/.test(basename(executable)) || !existsSync(executable)) return undefined;
  return realPathOf(executable) === realPathOf(self) ? { executable, folders } : undefined;
}

/** Copies an executable to where it stays, in one step, and records it as `install.sh` does. */
export function placeExecutable({ placed, state }: Paths, from: string, executable: string): void {
  const folders = [...missingFolders(dirname(executable)), ...missingFolders(dirname(state))];
  mkdirSync(dirname(executable), { recursive: true });
  mkdirSync(state, { recursive: true, mode: 0o700 });
  withFolderBeside(executable, (folder) => {
    const fresh = join(folder, basename(executable));
    copyFileSync(from, fresh);
    chmodSync(fresh, 0o755);
    writeFileAtomic(placed, [executable, ...folders, ""].join("\n"), { mode: 0o600 });
    renameSync(fresh, executable);
  });
}

/** Deletes what the installer put here. */
export function removePlaced({ executable, folders }: Placed): void {
  rmSync(executable, { force: true });
  for (const folder of folders) removeIfEmpty(folder);
}

/** Begins with the process that made it, and ends in what nobody can foresee. */
const NAME = /^\.memo-new-(\d+)-\w{6}$/;

/**
 * Makes what is to replace a file, in a folder of its own beside it that nobody else can write to. The folder goes again,
 * and so do those of processes that were killed.
 */
function withFolderBeside<T>(path: string, use: (folder: string) => T): T {
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
