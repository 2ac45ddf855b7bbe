import { createHash } from "node:crypto";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { type ListedFile, listMemoryFiles, readMemoryFile } from "../memory/store.ts";
import type { Index, KnownFile } from "./memory_index.ts";

/** What a sync found. */
export interface SyncResult {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  /** Files that could not be read, with the reason; what the index knew of them stays. */
  failed: { path: string; because: string }[];
}

export interface SyncOptions {
  /** Look into every file, whatever its time and size say. */
  readonly thorough?: boolean;
  /** Called with the number of files looked at and their total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Files read and written to the index in one transaction. */
const BATCH = 100;

/**
 * Brings the index in step with a folder: a file is read when its time or size differ from what is known, and
 * entered when its content does. Vectors are made later (`embedPending`), so that words are found at once.
 */
export async function syncFolder(
  index: Index,
  folder: MemoryFolder,
  options: SyncOptions = {},
): Promise<SyncResult> {
  const result: SyncResult = { added: 0, changed: 0, removed: 0, unchanged: 0, failed: [] };
  const listed = listMemoryFiles(folder);
  const id = await index.folderId(folder);
  const known = await index.known(id);
  const suspects: ListedFile[] = [];
  for (const file of listed) {
    const before = known.get(file.path);
    if (before !== undefined && !options.thorough && isUntouched(before, file)) result.unchanged++;
    else suspects.push(file);
  }
  for (let start = 0; start < suspects.length; start += BATCH) {
    await enter(index, id, folder, suspects.slice(start, start + BATCH), known, result);
    options.onProgress?.(Math.min(start + BATCH, suspects.length), suspects.length);
  }
  const present = new Set(listed.map((file) => file.path));
  const gone = [...known].filter(([path]) => !present.has(path)).map(([, file]) => file.id);
  await index.remove(gone);
  result.removed = gone.length;
  return result;
}

function isUntouched(before: KnownFile, file: ListedFile): boolean {
  return before.mtimeMs === file.mtimeMs && before.size === file.size;
}

async function enter(
  index: Index,
  id: number,
  folder: MemoryFolder,
  files: readonly ListedFile[],
  known: ReadonlyMap<string, KnownFile>,
  result: SyncResult,
): Promise<void> {
  const put: { file: MemoryFile; hash: string }[] = [];
  const touch: { id: number; size: number; mtimeMs: number }[] = [];
  for (const { path } of files) {
    const before = known.get(path);
    try {
      const file = readMemoryFile(path, folder.scope);
      const hash = contentHash(file);
      if (before?.hash === hash) {
        touch.push({ id: before.id, size: file.size, mtimeMs: file.mtimeMs });
        result.unchanged++;
      } else {
        put.push({ file, hash });
        before === undefined ? result.added++ : result.changed++;
      }
    } catch (error) {
      result.failed.push({ path, because: (error as Error).message });
    }
  }
  await index.put(id, put);
  await index.touch(touch);
}

/** Of everything that is indexed: a change of unknown front matter keys alone costs nothing. */
function contentHash(file: MemoryFile): string {
  const { path: _path, size: _size, mtimeMs: _mtimeMs, digest: _digest, ...content } = file;
  return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 32);
}
