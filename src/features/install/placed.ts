import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { withFolderBeside } from "../../core/files/folder_beside.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import type { Paths } from "../../paths.ts";
import { missingFolders, removeIfEmpty } from "./init_record.ts";

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
