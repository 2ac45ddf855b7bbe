import {
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { writeFileAtomic } from "../files/atomic.ts";
import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { readState } from "../files/state.ts";
import type { AssetGroup, EmbeddedFile } from "./embedded.ts";
import { realPathOf } from "../files/real_path.ts";

/** How many versions of a group stay: this one, and one that a memo of another build may use. */
const KEPT = 2;

/** Age at which the remains of an interrupted unpacking are removed. */
const LEFTOVER_MS = 3_600_000;

/** Where a group is unpacked to. */
export function groupFolder(name: string, { hash }: AssetGroup, root: string): string {
  return join(root, `${name}-${hash}`);
}

/**
 * The folder below `root` that holds the files of a group, unpacked unless they are there and whole.
 * Any number of processes may do this at once: a folder appears complete, and a file that a crash or a
 * full disk left damaged is replaced in one step, so that no process sees half of one.
 */
export function unpackGroup(name: string, group: AssetGroup, root: string): string {
  const folder = groupFolder(name, group, root);
  try {
    if (damagedFiles(folder, group).length === 0) return folder;
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const fresh = mkdtempSync(join(root, `.${name}-`));
    try {
      writeFiles(fresh, group);
      moveIntoPlace(fresh, folder, group);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  } catch (cause) {
    throw new MemoError(
      "file",
      `Cannot unpack memo's ${name} into \`${root}\`: ${messageOf(cause)}`,
      {
        cause,
        hint: "Free up space, or set `MEMO_HOME` to a writable folder, then run `memo doctor`",
      },
    );
  }
  // A version that is used in place is a second name of its executable, and keeps that on the disk.
  sweep(name, folder, isInPlace(group) ? 1 : KEPT);
  return folder;
}

/** A file in the folder with the state of the others when their content was last verified. */
const RECORD = ".checked.json";

type Checked = Readonly<Record<string, { readonly size: number; readonly mtimeMs: number }>>;

/** The files that are not there or not whole; a content is read where size or time are not as last found right. */
function damagedFiles(folder: string, group: AssetGroup): AssetGroup["files"] {
  const checked = (readState(join(folder, RECORD)) ?? {}) as Checked; // not unpacked yet
  const found = group.files.map((file) => ({
    file,
    stats: statSync(join(folder, file.name), { throwIfNoEntry: false }),
  }));
  const changed = found.filter(({ file, stats }) =>
    stats === undefined || checked[file.name]?.size !== stats.size ||
    checked[file.name]?.mtimeMs !== stats.mtimeMs
  );
  if (changed.length === 0) return [];
  // Their contents are not those of the table: they are made again, which takes no space.
  if (isInPlace(group)) return group.files;
  const damaged = changed.filter(({ file, stats }) =>
    stats?.size !== file.size || hashOf(join(folder, file.name)) !== file.sha256
  ).map(({ file }) => file);
  if (damaged.length === 0) writeChecked(folder, group);
  return damaged;
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Where this cannot be kept, the content is read again the next time. */
function writeChecked(folder: string, { files }: AssetGroup): void {
  try {
    const looks = files.map(({ name }) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return [name, { size, mtimeMs }];
    });
    writeFileAtomic(join(folder, RECORD), JSON.stringify(Object.fromEntries(looks)));
  } catch {
    // the folder cannot be written
  }
}

/**
 * Linux caches a file in blocks as large as the writes that made it, up to 2 MB, and maps a whole block where a process
 * reads one page: of libraries and weights written at once a daemon holds 60 MB that it never looks at.
 */
const PIECE = 65_536;

/** Each file is on the disk before the folder takes its place: a power cut leaves no file of the right size and zeros. */
function writeFiles(folder: string, group: AssetGroup): void {
  /** Where the file beside a graph begins in what is there in its name. */
  const starts = new Map<string, number>();
  const isFirst = ({ form }: EmbeddedFile) => Number(form === "in place");
  for (const file of group.files.toSorted((a, b) => isFirst(b) - isFirst(a))) {
    const path = join(folder, file.name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const start = file.form === "in place" ? linkExecutable(file, path) : undefined;
    if (start !== undefined) starts.set(file.name, start);
    else {
      const moved = starts.get(file.beside ?? "");
      const content = contentOf(file);
      const bytes = moved === undefined ? content : movedBy(content, moved);
      writeFileAtomic(path, bytes, { pieceBytes: PIECE });
    }
  }
  writeChecked(folder, group);
}

function contentOf({ source, form }: EmbeddedFile): Uint8Array {
  const bytes = readFileSync(source);
  return form === "zstd" ? zstdDecompressSync(bytes) : bytes;
}

function isInPlace({ files }: AssetGroup): boolean {
  return files.some(({ form }) => form === "in place");
}

function moveIntoPlace(fresh: string, folder: string, group: AssetGroup): void {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another process was faster, or the folder is the damaged one.
    if (!["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(codeOf(error) ?? "")) throw error;
    for (const { name } of damagedFiles(folder, group)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
      renameSync(join(fresh, name), join(folder, name));
    }
    writeChecked(folder, group);
  }
}

/** Removes older versions of a group and remains of crashes, unless they are in use elsewhere. */
function sweep(name: string, current: string, kept: number): void {
  const root = dirname(current);
  const entries = readdirSync(root)
    .map((entry) => join(root, entry))
    .map((path) => ({ path, mtimeMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  const older = entries.filter(({ path }) =>
    path.startsWith(join(root, `${name}-`)) && path !== current
  );
  const leftovers = entries.filter(({ path, mtimeMs }) =>
    path.startsWith(join(root, `.${name}-`)) && mtimeMs < Date.now() - LEFTOVER_MS
  );
  for (const { path } of [...older.slice(kept - 1), ...leftovers]) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch { /* Windows does not remove a library that another memo has loaded */ }
  }
}

// A file that is used where it lies in the executable: the weights, which ONNX Runtime maps into memory, and the table of
// words. A second name of the executable stands where they are looked for, so that they are on the disk once.
/** Bytes of a file that are looked for, and bytes that are read at a time. */
export const HEAD_BYTES = 32;
const SEARCHED = 4 * 1024 * 1024;

/**
 * Gives the executable a second name, and returns where in it the file begins; undefined where that cannot be: on
 * another disk, on a system that lets nobody link what is not his, or where the file is not found in it.
 */
export function linkExecutable(
  file: Pick<EmbeddedFile, "head" | "size" | "sha256">,
  path: string,
  executable = process.execPath,
): number | undefined {
  try {
    const real = realPathOf(executable);
    const start = placeIn(real, file);
    if (start !== undefined) linkSync(real, path);
    return start;
  } catch {
    return undefined;
  }
}

function placeIn(
  path: string,
  { head, size, sha256 }: Pick<EmbeddedFile, "head" | "size" | "sha256">,
): number | undefined {
  if (head === undefined) return undefined;
  const wanted = Buffer.from(head, "hex");
  const file = openSync(path, "r");
  const piece = Buffer.alloc(SEARCHED);
  try {
    for (let at = 0;; at += SEARCHED - wanted.length) {
      const read = readSync(file, piece, 0, SEARCHED, at);
      const bytes = piece.subarray(0, read);
      for (let i = bytes.indexOf(wanted); i >= 0; i = bytes.indexOf(wanted, i + 1)) {
        if (hashOfPart(file, at + i, size) === sha256) return at + i;
      }
      if (read < SEARCHED) return undefined;
    }
  } finally {
    closeSync(file);
  }
}

function hashOfPart(file: number, start: number, size: number): string {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(Math.min(size, SEARCHED));
  for (let at = 0; at < size;) {
    const read = readSync(file, piece, 0, Math.min(piece.length, size - at), start + at);
    if (read === 0) break;
    hash.update(piece.subarray(0, read));
    at += read;
  }
  return hash.digest("hex");
}

/** Where something begins in the file beside this one, as `tools/model` writes it: a key and a value of protobuf, or JSON. */
const OFFSET = /(?<=\n\p{Cc}offset\p{Cc}\f|"offset": ")\d{12}/gu;

/** A model's graph, or the place of its table of words, whose numbers begin further on in the file beside it. */
export function movedBy(content: Uint8Array, bytes: number): Uint8Array {
  const text = Buffer.from(content).toString("latin1");
  const moved = text.replace(
    OFFSET,
    (offset) => String(Number(offset) + bytes).padStart(offset.length, "0"),
  );
  return Buffer.from(moved, "latin1");
}
