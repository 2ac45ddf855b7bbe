import { existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { basename } from "node:path";
import type { Paths } from "../paths.ts";
import { removeIfEmpty } from "./init_record.ts";

/** What `install.sh` put on this account, as it recorded it. */
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
  return realpathSync(executable) === realpathSync(self) ? { executable, folders } : undefined;
}

/** Deletes what the installer put here. */
export function removePlaced({ executable, folders }: Placed): void {
  rmSync(executable, { force: true });
  for (const folder of folders) removeIfEmpty(folder);
}
