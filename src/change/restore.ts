import { join } from "node:path";
import { bytesOf } from "../memory/archive.ts";
import { digestOf } from "../memory/trust.ts";
import type { FileIn } from "../memory/versions.ts";
import type { FileChange } from "./change.ts";

/** Writes a version to a memory's file, in place of the version that is there. */
export function restoring(place: FileIn, text: Uint8Array): FileChange {
  const { folder, file } = place;
  const path = join(folder.path, file);
  const there = bytesOf(path, folder.path);
  return there === undefined
    ? restoringBeside(place, text)
    : { kind: "replace", what: "restore", folder, path, before: digestOf(there), text };
}

/** Writes a version as a memory; where another memory has its file name by now, it gets a number. */
export function restoringBeside({ folder, file }: FileIn, text: Uint8Array): FileChange {
  return { kind: "add", what: "restore", folder, file, text };
}
