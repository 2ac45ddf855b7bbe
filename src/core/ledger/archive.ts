// Earlier versions of memories. A version is known by its content: the log names the SHA-256 of each, and the archive
// or the folder itself has a file with it.

import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { MemoError } from "../../errors.ts";
import { statsOf } from "../files/there.ts";
import { realPathOf } from "../files/real_path.ts";
import { withSlashes } from "../files/slashes.ts";
import { filesBelow, type ListedFile, refuseOutside, type Unreadable } from "../memory/folder.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { digestOf } from "../memory/trust.ts";

const ARCHIVE = ".archive";
const STAMP = /\.(\d{8}-\d{6})(?:-(\d+))?\.md$/;
/** File systems allow 255 bytes: this leaves room for the stamp. */
const MAX_STEM_BYTES = 225;

/** The archive of a folder. */
export function archiveOf({ path, archive = join(path, ARCHIVE) }: MemoryFolder): string {
  return archive;
}

/** The archived memories of a folder, newest first; throws a `file` MemoError for an archive that cannot be read. */
export function listArchive(folder: MemoryFolder): ListedFile[] {
  const unreadable: Unreadable[] = [];
  const files = filesBelow(archiveOf(folder), unreadable);
  if (unreadable[0] !== undefined) throw cannotRead(unreadable[0]);
  return files.sort((a, b) => {
    if (isLater(a.path, b.path)) return -1;
    return isLater(b.path, a.path) || a.path > b.path ? 1 : -1;
  });
}

/** The error for a part of an archive that is there and cannot be read. */
export function cannotRead({ path, because }: Unreadable): MemoError {
  return new MemoError("file", `Cannot read \`${path}\` in the archive: ${because}`, {
    hint: `Run \`ls -ld ${path}\`: you must own it and have read permission`,
  });
}

/** Whether a file was archived after another, by their names. */
export function isLater(a: string, b: string): boolean {
  const left = stampOf(a);
  const right = stampOf(b);
  return left.stamp > right.stamp || (left.stamp === right.stamp && left.number > right.number);
}

/** The file name that an archived memory had. */
export function originalName(archived: string): string {
  return basename(archived).replace(STAMP, ".md");
}

/** The path that an archived memory had. */
export function originalPath(archived: string, folder: MemoryFolder): string {
  const root = archiveOf(folder);
  const home = join(folder.path, relative(realPathOf(root), realPathOf(dirname(archived))));
  return join(home, originalName(archived));
}

/** The name of a memory in the archive, shortened if the stamp would not fit behind it. */
export function archivedName(path: string, now: Date): string {
  let stem = basename(path, ".md");
  while (Buffer.byteLength(stem) > MAX_STEM_BYTES) stem = [...stem].slice(0, -1).join("");
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  return `${stem}.${stamp}.md`;
}

/** The folder in the archive for the memories beside a path. */
export function archiveFor(path: string, folder: MemoryFolder): string {
  return join(archiveOf(folder), relative(realPathOf(folder.path), realPathOf(dirname(path))));
}

/** The archived file with a content that lay beside a path under its name. */
export function versionOf(
  path: string,
  digest: string,
  folder: MemoryFolder,
): string | undefined {
  const place = dirname(path) === folder.path || statsOf(dirname(path)) !== undefined
    ? archiveFor(path, folder)
    : join(archiveOf(folder), relative(folder.path, dirname(path)));
  const name = originalName(archivedName(path, new Date(0)));
  return filesBelow(place).map(({ path }) => path).find((archived) =>
    dirname(archived) === place && originalName(archived) === name &&
    digestOf(readFileSync(archived)) === digest
  );
}

/** The bytes of a version: where the log says, else under the same name; undefined if they are gone. */
export function versionBytes(
  { archived, digest }: { readonly archived: string; readonly digest: string },
  { path, folder }: { readonly path: string; readonly folder: MemoryFolder },
): Uint8Array | undefined {
  const root = archiveOf(folder);
  for (const place of [join(root, archived), path]) {
    const bytes = bytesOf(place, place === path ? folder.path : root);
    if (bytes !== undefined && digestOf(bytes) === digest) return bytes;
  }
  const other = versionOf(path, digest, folder);
  return other === undefined ? undefined : readFileSync(other);
}

/** The bytes of a file inside a folder; undefined if there is none. */
export function bytesOf(path: string, folder: string): Uint8Array | undefined {
  try {
    refuseOutside(path, folder);
    return lstatSync(path).isFile() ? readFileSync(path) : undefined;
  } catch (error) {
    if (error instanceof MemoError && error.kind !== "file") throw error;
    return undefined;
  }
}

/** A path below a folder as the log has it, with the same separators everywhere. */
export function relativePathOf(path: string, folder: string): string {
  return withSlashes(relative(folder, path));
}

/** When a file was archived, and its number among those of its name in that second. */
function stampOf(archived: string): { stamp: string; number: number } {
  const [, stamp = "", number = "1"] = STAMP.exec(basename(archived)) ?? [];
  return { stamp, number: Number(number) };
}
