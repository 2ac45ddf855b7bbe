// What `memo export` writes and `memo import memo` takes back: the files as they are, and a list of their folders.

import { isUtf8 } from "node:buffer";
import {
  closeSync,
  existsSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { readRegular, tooLarge } from "../../core/files/bounded.ts";
import { parsed } from "../../core/files/there.ts";
import { withSlashes } from "../../core/files/slashes.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { type Identity, identityOf } from "../../core/memory/project.ts";
import { identityIn } from "../../core/memory/project_record.ts";
import {
  ARCHIVE,
  isArchived,
  isPortable,
  PLACE,
  portableFiles,
  secretKindsIn,
  type Unlisted,
} from "../sync/portable.ts";
import type { Seal } from "./own.ts";
import { MAX_BYTES, readBytes, unreadable } from "./record.ts";
import type { Unreadable } from "../../core/memory/folder.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { teamNameIn } from "../../core/memory/teams.ts";
import type { Env } from "../../paths.ts";

/** A memory folder in an export. */
export interface BundleFolder {
  /** `user`, or `projects/NAME`. */
  readonly id: string;
  /** A project's root on the machine of the export, and what its clones have in common. */
  readonly root?: string;
  readonly identity?: Identity;
}

/** A file of an export. */
export interface BundleFile {
  /** Its path: the folder's id, then the path in it. */
  readonly relativePath: string;
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** An export. */
export interface Bundle {
  readonly folders: readonly BundleFolder[];
  readonly files: readonly BundleFile[];
  readonly seal?: Seal;
}

/** The forms of an export. */
export const FORMATS = ["folder", "json", "tar"] as const;
export type Format = typeof FORMATS[number];

/** Maximum bytes of one file in an export; its largest is a log of changes. */
const MAX_FILE = 64 * 1024 * 1024;
/** The list in an export that is a folder. */
export const MANIFEST = "memo-export.json";
const VERSION = 1;

/** The form that a path's ending stands for. */
export function formatOf(path: string): Format {
  if (/\.json$/i.test(path)) return "json";
  return /\.(?:tar|tar\.gz|tgz)$/i.test(path) ? "tar" : "folder";
}

/** Writes an export to a path where there is nothing. */
export async function writeBundle(
  { folders, files, seal }: Bundle,
  path: string,
  format: Format,
): Promise<void> {
  const modified = Object.fromEntries(files.map((file) => [file.relativePath, file.modified]));
  const manifest = { format: VERSION, folders, modified, seal };
  const textOf = (value: unknown) => JSON.stringify(value, null, 2) + "\n";
  if (format === "json") {
    const all = files.map(({ relativePath, bytes }) => ({ way: relativePath, ...encoded(bytes) }));
    return writeFileAtomic(path, textOf({ ...manifest, files: all }));
  }
  const list = {
    relativePath: MANIFEST,
    bytes: Buffer.from(textOf(manifest)),
    modified: Date.now(),
  };
  if (format === "tar") {
    const archive = await packTar([...files, list].map(({ relativePath, bytes, modified }) => ({
      header: { name: relativePath, size: bytes.length, mode: 0o600, mtime: new Date(modified) },
      body: bytes,
    })));
    return writeFileAtomic(path, /\.t?gz$/i.test(path) ? gzipSync(archive) : archive);
  }
  const within = new Set(files.map(({ relativePath }) => dirname(relativePath))).add(".");
  for (const folder of within) mkdirSync(join(path, folder), { recursive: true, mode: 0o700 });
  for (const { relativePath, bytes, modified } of files) {
    const file = openSync(join(path, relativePath), "w", 0o600);
    try {
      writeFileSync(file, bytes);
      futimesSync(file, modified / 1000, modified / 1000);
    } finally {
      closeSync(file);
    }
  }
  writeFileAtomic(join(path, MANIFEST), list.bytes); // the last: without it, it is no export
}

/** Whether an export can be written to a path. */
export function isFree(path: string): boolean {
  if (!existsSync(path)) return true;
  return statSync(path).isDirectory() && readdirSync(path).length === 0;
}

/** Reads an export in any form; throws a `file` MemoError for anything else. Paths that lead out are left out. */
export async function readBundle(
  path: string,
): Promise<Bundle & { readonly refused: readonly string[] }> {
  const { manifest, files } = await contentsOf(path).catch((error) => {
    throw error instanceof MemoError ? error : notAnExport(path, messageOf(error));
  });
  const { format, folders, modified, seal } = fieldsOf(manifest);
  if (format !== VERSION || !Array.isArray(folders)) {
    throw notAnExport(
      path,
      `its format is ${String(format)}; this version of memo reads ${VERSION}`,
    );
  }
  const sound = folders.flatMap(folderOf);
  const times = fieldsOf(modified);
  const isIn = ({ relativePath }: BundleEntry) =>
    sound.some(({ id }) =>
      relativePath.startsWith(`${id}/`) && isPortable(relativePath.slice(id.length + 1))
    );
  const dated = files.filter(isIn).map((file) => {
    const time = Number(times[file.relativePath]);
    return { ...file, modified: time > 0 && Number.isFinite(time) ? time : Date.now() };
  });
  const refused = files.filter((file) => !isIn(file)).map(({ relativePath }) => relativePath);
  return { folders: sound, ...sealIn(seal), files: dated, refused };
}

type BundleEntry = Omit<BundleFile, "modified">;

async function contentsOf(
  path: string,
): Promise<{ readonly manifest: unknown; readonly files: readonly BundleEntry[] }> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder && formatOf(path) !== "tar") {
    const manifest = jsonIn(readBytes(path));
    const { files } = fieldsOf(manifest);
    if (!Array.isArray(files)) throw new Error("it has no list of files");
    return { manifest, files: files.flatMap(decoded) };
  }
  const entries = isFolder ? inFolder(path) : await inTar(readBytes(path));
  const list = entries.find(({ relativePath }) => relativePath === MANIFEST);
  if (list === undefined) throw new Error(`it has no \`${MANIFEST}\``);
  return { manifest: jsonIn(list.bytes), files: entries.filter((file) => file !== list) };
}

function inFolder(path: string): BundleEntry[] {
  if (!existsSync(join(path, MANIFEST))) return [];
  const files: BundleEntry[] = [];
  let total = 0;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const relativePath = withSlashes(relative(path, file));
    const folders = relativePath.split("/").slice(0, -1);
    const isHidden = folders.some((name) => name.startsWith(".") && name !== ARCHIVE);
    if (!entry.isFile() || isHidden) continue;
    try {
      const bytes = readRegular(file, MAX_FILE);
      if ((total += bytes.length) > MAX_BYTES) throw new Error(tooLarge(MAX_BYTES));
      files.push({ relativePath, bytes });
    } catch (error) {
      throw new Error(`\`${file}\`: ${messageOf(error)}`);
    }
  }
  return files;
}

async function inTar(bytes: Uint8Array): Promise<BundleEntry[]> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const entries = await unpackTar(isPacked ? unpacked(bytes) : bytes, {
    strict: true,
    filter({ name, size, type }) {
      if (type === "file" && size > MAX_FILE) throw new Error(`\`${name}\`: ${tooLarge(MAX_FILE)}`);
      return type === "file";
    },
  });
  return entries.map(({ header, data = new Uint8Array() }) => ({
    relativePath: header.name.replace(/^(?:\.?\/)+/, ""),
    bytes: data,
  }));
}

/** Unpacks an export up to the size that is read of one: a few megabytes can unpack to a thousand times as many. */
function unpacked(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isLarge = codeOf(error) === "ERR_BUFFER_TOO_LARGE";
    throw isLarge ? new Error(`unpacked, ${tooLarge(MAX_BYTES)}`) : error;
  }
}

function jsonIn(bytes: Uint8Array): unknown {
  const value = parsed(Buffer.from(bytes).toString("utf8"));
  if (value === undefined) throw new Error("it is not JSON");
  return value;
}

function folderOf(value: unknown): BundleFolder[] {
  const { id, root, identity } = fieldsOf(value);
  if (typeof id !== "string" || !PLACE.test(id)) return [];
  const known = identityIn(identity);
  const at = typeof root === "string" && root !== "" ? { root } : {};
  return [{ id, ...at, ...known && { identity: known } }];
}

function sealIn(value: unknown): Pick<Bundle, "seal"> {
  const { key, files, signature } = fieldsOf(value);
  if (typeof key !== "string" || typeof signature !== "string") return {};
  return { seal: { key, files: fieldsOf(files) as Seal["files"], signature } };
}

/** Bytes as text where they are text, else in base64. */
function encoded(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
  const buffer = Buffer.from(bytes);
  return isUtf8(buffer) ? { text: buffer.toString("utf8") } : { base64: buffer.toString("base64") };
}

function decoded(value: unknown): BundleEntry[] {
  const { way: relativePath, text, base64 } = fieldsOf(value);
  if (typeof relativePath !== "string") return [];
  if (typeof text === "string") return [{ relativePath, bytes: Buffer.from(text) }];
  return typeof base64 === "string" ? [{ relativePath, bytes: Buffer.from(base64, "base64") }] : [];
}

function notAnExport(path: string, because: string): MemoError {
  return unreadable(path, because, {
    hint: "Pass what `memo export` wrote: a folder, a `.json` or a `.tar`",
  });
}

/**
 * Collects memory folders for an export: memories and journal, and the archive if it is wanted; and names what cannot be
 * read.
 */
export async function collect(
  folders: readonly MemoryFolder[],
  { archive, env }: { readonly archive: boolean; readonly env: Env },
): Promise<Bundle & { readonly failed: readonly Unreadable[] }> {
  const listed: BundleFolder[] = [];
  const files: BundleFile[] = [];
  const failed: Unreadable[] = [];
  for (const folder of folders) {
    const id = idOf(folder);
    const root = folder.project;
    listed.push({ id, ...root !== undefined && { root, identity: await identityOf(root, env) } });
    const unlisted: Unlisted[] = [];
    for (const { relativePath, path } of portableFiles(folder, unlisted)) {
      if (isArchived(relativePath) && !archive) continue;
      try {
        const modified = Math.trunc(statSync(path).mtimeMs);
        files.push({ relativePath: `${id}/${relativePath}`, bytes: readFileSync(path), modified });
      } catch (error) {
        failed.push({ path, because: messageOf(error) });
      }
    }
    failed.push(...unlisted.filter(({ relativePath }) => archive || !isArchived(relativePath)));
  }
  return { folders: listed, files, failed };
}

function idOf({ scope, path }: MemoryFolder): string {
  if (scope === "user") return "user";
  const team = scope === "team" ? teamNameIn(join(path, "x")) : undefined;
  if (team === undefined) return `projects/${basename(path)}`;
  return basename(path) === "notes" ? `teams/${team}` : `teams/${team}/${basename(path)}`;
}

/** The files of an export that seem to hold a secret, with the kinds. */
export async function secretsIn({ files }: Bundle, patterns: readonly RegExp[]) {
  const found: { relativePath: string; kinds: string[] }[] = [];
  for (const { relativePath, bytes } of files) {
    const kinds = await secretKindsIn(bytes, patterns);
    if (kinds.length > 0) found.push({ relativePath, kinds });
  }
  return found;
}
