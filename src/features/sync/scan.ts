// What is on disk, as trees. What cannot be read counts as it was: only a file that was here after the last sync, and
// is not here now in a folder that can be read, has been deleted.

import { lstatSync, readFileSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import { blobId } from "../../core/files/git.ts";
import { redact } from "../../core/redact/redact.ts";
import { inPlace, type Tree } from "./merge_trees.ts";
import { limitOf, portableFiles, type Unlisted } from "./portable.ts";
import type { Synced } from "./projects.ts";
import { PIECE, type Repository } from "./repository.ts";

/** A file that stays as it is on this machine. */
export interface WithheldFile {
  readonly path: string;
  readonly because: string;
  /** It seems to contain a secret: that is how it stays until the secret is taken out. */
  readonly hasSecret?: true;
}

/** The folders of this machine, now and after the last sync. */
export interface Scanned {
  /** What is there now; of what cannot be read or sent, what was there. */
  readonly disk: Tree;
  /** What was there; nothing for a folder that is new, or of which nothing is left. */
  readonly was: Tree;
  readonly heldBack: readonly WithheldFile[];
}

export interface ScanOptions {
  readonly repository: Repository;
  /** The user's own patterns of secrets. */
  readonly patterns: readonly RegExp[];
  /** Sends files with secrets, too. */
  readonly anyway?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Reads the folders, and stores what is new in the repository. */
export async function scan(
  folders: readonly Synced[],
  last: Tree,
  options: ScanOptions,
): Promise<Scanned> {
  const disk = new Map<string, string>();
  const was = new Map<string, string>();
  const heldBack: WithheldFile[] = [];
  for (const synced of folders) {
    const before = inPlace(last, synced.place);
    const now = await scanFolder(synced, before, { ...options, heldBack });
    for (const [relativePath, id] of now) disk.set(relativePath, id);
    // A folder of which nothing is left was emptied, made again or is not mounted: it comes back.
    if (![...before.keys()].some((relativePath) => now.has(relativePath))) continue;
    for (const [relativePath, id] of before) was.set(relativePath, id);
  }
  return { disk, was, heldBack };
}

async function scanFolder(
  { place, folder }: Synced,
  before: Tree,
  options: ScanOptions & { readonly heldBack: WithheldFile[] },
): Promise<Tree> {
  const { repository, heldBack, onProgress } = options;
  const unlisted: Unlisted[] = [];
  const files = portableFiles(folder, unlisted);
  const now = new Map<string, string>();
  const fresh = new Map<string, Uint8Array>();
  let size = 0;
  for (const [i, { relativePath, path }] of files.entries()) {
    onProgress?.(i, files.length);
    const name = `${place}/${relativePath}`;
    const known = before.get(name);
    try {
      const bytes = readNote(path, relativePath);
      if (bytes === undefined) continue; // deleted meanwhile
      const id = blobId(bytes);
      if (known !== id) {
        await refuseSecrets(bytes, options);
        fresh.set(id, bytes);
        size += bytes.length;
      }
      now.set(name, id);
    } catch (error) {
      const because = messageOf(error);
      heldBack.push({ path, because, ...error instanceof SecretFound && { hasSecret: true } });
      if (known !== undefined) now.set(name, known);
    }
    if (size > PIECE) {
      await repository.store(fresh);
      fresh.clear();
      size = 0;
    }
  }
  await repository.store(fresh);
  for (const { relativePath: prefix, path, because } of unlisted) {
    heldBack.push({ path, because });
    for (const [name, id] of before) if (name.startsWith(`${place}/${prefix}`)) now.set(name, id);
  }
  return now;
}

/** The bytes of a file that may travel; undefined if there is none. Throws for anything else. */
export function readNote(path: string, relativePath: string): Buffer | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new Error("its path is not a file");
  if (stats.size > limitOf(relativePath)) throw new Error(tooLarge(stats.size, relativePath));
  return readFileSync(path);
}

/** Says that a file is too large. */
export function tooLarge(bytes: number, relativePath: string): string {
  const mega = (count: number) => `${Math.round(count / 1024 / 102.4) / 10} MB`;
  return `it is too large for a note (${mega(bytes)} of at most ${mega(limitOf(relativePath))})`;
}

async function refuseSecrets(
  bytes: Buffer,
  { patterns, anyway }: ScanOptions,
): Promise<void> {
  if (anyway) return;
  const kinds = Object.keys((await redact(bytes.toString("utf8"), patterns)).found);
  if (kinds.length > 0) throw new SecretFound(`it seems to hold a secret (${kinds.join(", ")})`);
}

class SecretFound extends Error {}
