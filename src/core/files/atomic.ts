import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../errors.ts";
import { entriesIn, statsOf } from "./there.ts";

export interface WriteOptions {
  readonly mode?: number;
  /** Whether it must survive a power cut; state that can be lost need not wait for the disk. */
  readonly durable?: boolean;
  /** Maximum bytes that are written at a time; default: all. */
  readonly pieceBytes?: number;
  /** Called when all is on disk, just before the file takes its place; a throw leaves everything as it was. */
  readonly onReady?: () => void;
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
  options: WriteOptions = {},
): void {
  write(path, data, { ...options, place: renameSync });
}

/** Makes a file in one step: a crash leaves none or the whole one. Throws `EEXIST` where there is one. */
export function createFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): void {
  write(path, data, { ...options, place: moveToFree });
}

/** Moves a file to a free path on the same disk; throws `EEXIST` if it is taken. */
export function moveToFree(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.includes(codeOf(error) ?? "")) throw error;
    closeSync(openSync(to, "wx", 0o600)); // a crash before the next line would leave it empty
    renameSync(from, to);
    return;
  }
  rmSync(from);
}

/** What file systems without hard links answer. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

function write(
  path: string,
  data: string | Uint8Array,
  { mode = 0o600, durable = true, pieceBytes = Infinity, onReady, place }: WriteOptions & {
    readonly place: (from: string, to: string) => void;
  },
): void {
  const temporary = join(dirname(path), `.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const file = openSync(temporary, "wx", mode);
    try {
      if (typeof data === "string") writeFileSync(file, data);
      else {
        for (let at = 0; at < data.length; at += pieceBytes) {
          writeFileSync(file, data.subarray(at, at + pieceBytes));
        }
      }
      if (durable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chmodSync(temporary, mode);
    onReady?.();
    place(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(path));
}

/** Age at which a temporary file counts as abandoned. */
const ABANDONED_MS = 3_600_000;
/** Folders below a memory folder or the state folder that can hold one. */
const MAX_DEPTH = 4;

/** Deletes the temporary files that killed processes have left in a folder, and returns how many. */
export function sweepTemporaries(folder: string, now: Date, depth = 0): number {
  let swept = 0;
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < MAX_DEPTH) swept += sweepTemporaries(path, now, depth + 1);
    } else if (TEMPORARY.test(entry.name)) {
      if (now.getTime() - (statsOf(path)?.mtimeMs ?? Infinity) <= ABANDONED_MS) continue;
      rmSync(path, { force: true });
      swept++;
    }
  }
  return swept;
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
