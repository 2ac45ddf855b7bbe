import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export interface WriteOptions {
  readonly mode?: number;
  /** Whether it must survive a power cut; state that can be lost need not wait for the disk. */
  readonly durable?: boolean;
}

/** The name of a temporary file that `writeFileAtomic` makes; one that is left was killed. */
export const TEMPORARY = /^\.[0-9a-f]{16}\.tmp$/;

/**
 * Replaces a file in one step: a temporary file beside it, fsync, rename. A crash leaves the old file or the
 * new one. The temporary is hidden and has no ending that anybody indexes; its name is short, because the file's own
 * may be as long as the file system allows.
 */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  { mode = 0o600, durable = true }: WriteOptions = {},
): void {
  const temporary = join(dirname(path), `.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const file = openSync(temporary, "wx", mode);
    try {
      writeFileSync(file, data);
      if (durable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(path));
}

/** Makes the rename itself last; some systems cannot do that for a folder. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // the file is written all the same
  }
}
