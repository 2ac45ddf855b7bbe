// What a sync brings into a folder: the changes were made, and logged, on another machine.

import { rmSync } from "node:fs";
import { refuseOutside } from "../memory/folder.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Content } from "./change.ts";
import { archive, rewrite } from "./file.ts";
import { makeFolderOf } from "./kept_file.ts";

/** Archives a memory that another machine has deleted, unless the archive has it already. */
export function archiveIncoming(path: string, folder: MemoryFolder, now: Date): void {
  archive(path, folder, { what: "sync", now, isLogged: true });
}

/** Replaces a memory by the version of another machine; the version that was here goes to the archive. */
export function rewriteIncoming(
  path: string,
  text: Content,
  folder: MemoryFolder,
  { what, now, isLogged }: {
    /** `conflict`: both versions are kept until a person has decided. */
    readonly what: "sync" | "conflict";
    readonly now: Date;
    /** Whether the log that came with it has the change. */
    readonly isLogged: boolean;
  },
): void {
  makeFolderOf(path, folder);
  rewrite(path, text, folder, {
    what,
    because: "edited while a sync ran",
    now,
    isLogged,
  });
}

/** Removes a file whose content another file of the folder has, or that was erased for good. */
export function removeCopied(path: string, folder: MemoryFolder): void {
  refuseOutside(path, folder.path);
  rmSync(path, { force: true });
}
