// Which version of a memory was in use at a time, by the log, or by the archive for what is older than the log.

import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { statsOf } from "../files/stats.ts";
import { archiveFor, bytesOf, listArchive, originalName, versionBytes } from "./archive.ts";
import { type Logged, readChanges } from "./change_log.ts";
import type { MemoryFolder } from "../memory/memory.ts";

/** A file's place among the memories of a folder; there may be no file now. */
export interface FileIn {
  readonly folder: MemoryFolder;
  /** Its path in the folder, as in the log. */
  readonly file: string;
}

/** A moment, or the id of a change: the version as it was right after it. */
export type When = Date | { readonly change: string };

/** A version of a memory, or why there is none. */
export type Found =
  | { readonly kind: "version"; readonly bytes: Uint8Array }
  | { readonly kind: "none"; readonly because: string };

/** The changes of one file, oldest first. */
export function changesOf({ folder, file }: FileIn): Logged[] {
  return readChanges([folder]).filter((change) => change.file === file && change.key === undefined);
}

/** The version of a file at a time. */
export function versionAt(place: FileIn, when: When): Found {
  const changes = changesOf(place);
  if (!(when instanceof Date)) {
    const change = changes.find(({ id }) => id.startsWith(when.change));
    return change === undefined
      ? none(`none of its changes is \`${when.change}\``)
      : after(change, place);
  }
  const at = when.toISOString();
  const last = changes.findLast((change) => change.at <= at);
  if (last !== undefined) {
    return last.after === undefined && last.before !== undefined
      ? none(`it was not in use then`)
      : after(last, place);
  }
  const next = changes[0];
  if (next !== undefined && next.before === undefined) return none("it did not exist then");
  return beforeTheLog(place, when) ?? (next === undefined ? current(place) : before(next, place));
}

/** The version before the last change of a file; undefined unless that change rewrote it. */
export function previousVersion(place: FileIn): Uint8Array | undefined {
  const last = changesOf(place).at(-1);
  if (last?.before === undefined || last.after === undefined) return undefined;
  const path = join(place.folder.path, place.file);
  return versionBytes(last.before, { path, folder: place.folder });
}

function after(change: Logged, place: FileIn): Found {
  if (change.after === undefined) return before(change, place);
  return bytesFor({ archived: "", digest: change.after }, place);
}

function before({ before }: Logged, place: FileIn): Found {
  return before === undefined ? none("it did not exist then") : bytesFor(before, place);
}

function bytesFor(
  version: { readonly archived: string; readonly digest: string },
  { folder, file }: FileIn,
): Found {
  const bytes = versionBytes(version, { path: join(folder.path, file), folder });
  return bytes === undefined
    ? none("that version is no longer in the archive")
    : { kind: "version", bytes };
}

/** The first version that was archived after a time, of a memory whose changes were not logged. */
function beforeTheLog({ folder, file }: FileIn, when: Date): Found | undefined {
  const path = join(folder.path, file);
  if (statsOf(dirname(path)) === undefined) return undefined;
  const place = archiveFor(path, folder);
  const stamp = when.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  const next = listArchive(folder).map(({ path }) => path).findLast((archived) =>
    dirname(archived) === place && originalName(archived) === basename(path) &&
    archived.slice(archived.length - "yyyymmdd-hhmmss.md".length) > stamp
  );
  return next === undefined ? undefined : { kind: "version", bytes: readFileSync(next) };
}

function current({ folder, file }: FileIn): Found {
  const bytes = bytesOf(join(folder.path, file), folder.path);
  return bytes === undefined ? none("it does not exist") : { kind: "version", bytes };
}

function none(because: string): Found {
  return { kind: "none", because };
}
