// What `memo export` writes and `memo import memo` takes back: the files as they are, and a list of their folders.

import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGunzip, gzipSync } from "node:zlib";
import { createTarDecoder, packTar } from "modern-tar";
import { MemoError, messageOf } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { readRegular, tooLarge } from "../../core/files/bounded.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import type { Identity } from "../../core/memory/identity.ts";
import { readIdentity } from "../sync/projects.ts";
import { ARCHIVE, isPortable } from "../sync/portable.ts";
import type { Seal } from "./own.ts";
import { MAX_BYTES, readBytes } from "./read_text.ts";

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
  const text = JSON.stringify(manifest, null, 2) + "\n";
  if (format === "json") {
    const all = files.map(({ relativePath, bytes }) => ({ way: relativePath, ...encoded(bytes) }));
    return writeFileAtomic(path, JSON.stringify({ ...manifest, files: all }, null, 2) + "\n");
  }
  if (format === "tar") {
    const list = { relativePath: MANIFEST, bytes: Buffer.from(text), modified: Date.now() };
    const archive = await packTar([list, ...files].map(({ relativePath, bytes, modified }) => ({
      header: { name: relativePath, size: bytes.length, mode: 0o600, mtime: new Date(modified) },
      body: bytes,
    })));
    return writeFileAtomic(path, /\.t?gz$/i.test(path) ? gzipSync(archive) : archive);
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const { relativePath, bytes, modified } of files) {
    const file = join(path, relativePath);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileAtomic(file, bytes, { durable: false });
    utimesSync(file, modified / 1000, modified / 1000);
  }
  writeFileAtomic(join(path, MANIFEST), text); // the last: without it, it is no export
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
  const { manifest, files } = await contentsOf(path);
  const { format, folders, modified, seal } = fieldsOf(manifest);
  if (format !== VERSION || !Array.isArray(folders)) {
    throw notAnExport(path, `its format is ${String(format)}, this memo reads ${VERSION}`);
  }
  const sound = folders.flatMap(folderOf);
  const times = fieldsOf(modified);
  const isIn = (relativePath: string) =>
    sound.some(({ id }) =>
      relativePath.startsWith(`${id}/`) && isPortable(relativePath.slice(id.length + 1))
    );
  return {
    folders: sound,
    ...sealIn(seal),
    files: files.filter(({ relativePath }) => isIn(relativePath)).map(({ relativePath, bytes }) => {
      const time = Number(times[relativePath]);
      return {
        relativePath,
        bytes,
        modified: Number.isFinite(time) && time > 0 ? time : Date.now(),
      };
    }),
    refused: files.map(({ relativePath }) => relativePath).filter((relativePath) =>
      !isIn(relativePath)
    ),
  };
}

interface Contents {
  readonly manifest: object;
  readonly files: readonly Omit<BundleFile, "modified">[];
}

async function contentsOf(path: string): Promise<Contents> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) return inFolder(path);
  const bytes = readBytes(path);
  if (formatOf(path) === "tar") return await inTar(bytes, path);
  const whole = objectIn(Buffer.from(bytes).toString("utf8"), path);
  const { files } = whole as { files?: unknown };
  if (!Array.isArray(files)) throw notAnExport(path, "it has no list of files");
  return { manifest: whole, files: files.flatMap(decoded) };
}

function inFolder(path: string): Contents {
  if (!existsSync(join(path, MANIFEST))) throw notAnExport(path, `it has no \`${MANIFEST}\``);
  const manifest = objectIn(Buffer.from(readBytes(join(path, MANIFEST))).toString("utf8"), path);
  const files: Omit<BundleFile, "modified">[] = [];
  let total = 0;
  const walk = (folder: string, prefix: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const relativePath = prefix + entry.name;
      if (entry.isDirectory() && (!entry.name.startsWith(".") || entry.name === ARCHIVE)) {
        walk(join(folder, entry.name), `${relativePath}/`);
      } else if (entry.isFile() && relativePath !== MANIFEST) {
        const bytes = readFile(join(folder, entry.name), path);
        if ((total += bytes.length) > MAX_BYTES) throw notAnExport(path, tooLarge(MAX_BYTES));
        files.push({ relativePath, bytes });
      }
    }
  };
  walk(path, "");
  return { manifest, files };
}

function readFile(file: string, path: string): Uint8Array {
  try {
    return readRegular(file, MAX_FILE);
  } catch (error) {
    throw notAnExport(path, `\`${file}\`: ${messageOf(error)}`);
  }
}

async function inTar(bytes: Uint8Array, path: string): Promise<Contents> {
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const archive = ReadableStream.from(upTo(MAX_BYTES, isPacked ? unpacked(bytes) : [bytes]));
    const files: Omit<BundleFile, "modified">[] = [];
    for await (const { header, body } of archive.pipeThrough(createTarDecoder({ strict: true }))) {
      const { name, size, type } = header;
      if (type !== "file") await body.cancel();
      else if (size > MAX_FILE) throw new Error(`\`${name}\`: ${tooLarge(MAX_FILE)}`);
      else {
        const bytes = new Uint8Array(await new Response(body).arrayBuffer());
        files.push({ relativePath: name.replace(/^(?:\.?\/)+/, ""), bytes });
      }
    }
    const manifest = files.find(({ relativePath }) => relativePath === MANIFEST);
    if (manifest === undefined) throw new Error(`it has no \`${MANIFEST}\``);
    const text = Buffer.from(manifest.bytes).toString("utf8");
    return { manifest: objectIn(text, path), files: files.filter((file) => file !== manifest) };
  } catch (error) {
    if (error instanceof MemoError) throw error;
    throw notAnExport(path, messageOf(error));
  }
}

/** Unpacks as it is read: a few megabytes can unpack to a thousand times as many. */
function unpacked(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  gunzip.end(bytes);
  return gunzip;
}

/** The bytes of a stream; throws at the first that is too many, before it is held. */
async function* upTo(
  most: number,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let taken = 0;
  for await (const chunk of chunks) {
    if ((taken += chunk.length) > most) throw new Error(`unpacked, ${tooLarge(most)}`);
    yield chunk;
  }
}

function objectIn(text: string, path: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // reported below
  }
  throw notAnExport(path, "it is not JSON");
}

function folderOf(value: unknown): BundleFolder[] {
  const { id, root, identity } = fieldsOf(value);
  if (typeof id !== "string" || !/^(?:user|projects\/[\p{L}\p{N}\p{M}-]{1,200})$/u.test(id)) {
    return [];
  }
  const known = identity === undefined ? undefined : readIdentity(JSON.stringify(identity));
  return [{
    id,
    ...typeof root === "string" && root !== "" && { root },
    ...known && { identity: known },
  }];
}

function sealIn(value: unknown): Pick<Bundle, "seal"> {
  const { key, files, signature } = fieldsOf(value);
  if (typeof key !== "string" || typeof signature !== "string") return {};
  return { seal: { key, files: fieldsOf(files) as Seal["files"], signature } };
}

/** Bytes as text where they are text, else in base64. */
function encoded(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
  const text = Buffer.from(bytes).toString("utf8");
  return Buffer.from(text).equals(bytes)
    ? { text }
    : { base64: Buffer.from(bytes).toString("base64") };
}

function decoded(value: unknown): Omit<BundleFile, "modified">[] {
  const { way: relativePath, text, base64 } = fieldsOf(value);
  if (typeof relativePath !== "string") return [];
  if (typeof text === "string") return [{ relativePath, bytes: Buffer.from(text) }];
  return typeof base64 === "string" ? [{ relativePath, bytes: Buffer.from(base64, "base64") }] : [];
}

function notAnExport(path: string, because: string): MemoError {
  return new MemoError("file", `Cannot import \`${path}\`: ${because}`, {
    hint: "Pass an export of `memo export`: a folder, a `.json` or a `.tar`",
  });
}
