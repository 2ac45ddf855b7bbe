import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { withCommitDates } from "../memory/list.ts";
import {
  byPath,
  type ListedFile,
  memoryFileAt,
  readMemoryFile,
  type Walker,
  walkMemoryFiles,
} from "../memory/folder.ts";
import { fileStamp } from "../files/there.ts";
import { attributed, grant, isUnwatched, readable, trusted } from "../memory/trust.ts";
import { idOf } from "../ledger/find.ts";
import { labelOf } from "../memory/names.ts";
import { saidIn } from "./known_memories.ts";
import type { FileRecord, Touched, WaitingFile } from "./file_records.ts";
import type { Index } from "./mod.ts";
import type { Put } from "./rows.ts";
import { linesOf } from "../transcript/lines.ts";

/** The result of a sync. */
export interface SyncResult {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  /** Files that a repository has brought and that the user has not trusted yet. */
  waiting: number;
  /** Unreadable files and folders, with the reason; the index keeps its former content for them. */
  failed: { path: string; because: string }[];
}

export interface IndexSyncOptions {
  /** Look into every file, whatever its time and size say. */
  readonly thorough?: boolean;
  /** Called with the number of files looked at and their total. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Asked between batches; where it says so, the rest is left to the next sync. */
  readonly isEnough?: () => boolean;
  /** Awaited between batches, with the number of files that are listed or to be entered: others go on meanwhile. */
  readonly pause?: (files: number) => Promise<void>;
  readonly walker?: Walker | undefined;
}

/** Files entered in one transaction, for which others wait: fewer where it takes long. */
const BATCH = { most: 50, fewest: 5, aimMs: 50 };
/** Files listed at a time. */
const LISTED = 500;

/**
 * Brings the index in step with a folder: a file is read when its time or size differ from what is known, and
 * entered when its content does. Vectors are made later (`embedPending`), so that words are found at once. What a
 * repository shares is entered once the user trusts it, and until then only noted as waiting.
 */
export async function syncFolder(
  index: Index,
  folder: MemoryFolder,
  options: IndexSyncOptions = {},
): Promise<SyncResult> {
  const result = emptyResult();
  const listed: ListedFile[] = [];
  for (const file of walkMemoryFiles(folder, result.failed, options.walker)) {
    if (listed.push(file) % LISTED > 0) continue;
    await options.pause?.(listed.length);
    if (options.isEnough?.()) break;
  }
  const id = await index.files.enter(folder);
  const known = await index.files.known(id);
  const trusted = readable(folder);
  const noted = trusted === undefined ? NONE : await index.files.waiting(id);
  const waiting = new Map<string, WaitingFile>();
  const vanished = new Set<string>();
  const isVouched = vouchedIn(folder);
  const suspects: ListedFile[] = [];
  let stillThere = 0;
  for (const file of listed) {
    const entered = known.get(file.path), before = entered ?? noted.get(file.path);
    if (entered !== undefined) stillThere++;
    const isSuspect = before === undefined || options.thorough ||
      !isUntouched(before, file) || !isVouched(before);
    if (isSuspect) suspects.push(file);
    else if (trusted !== undefined && !trusted.has(before.digest)) {
      waiting.set(file.path, { ...file, digest: before.digest });
    } else if (entered !== undefined) result.unchanged++;
    else suspects.push(file);
  }
  suspects.sort(byPath);
  for (let done = 0, size = BATCH.most; done < suspects.length;) {
    const began = performance.now();
    const files = suspects.slice(done, done + size);
    await enter(index, id, { files, folder, known, trusted, waiting, vanished, result });
    done += files.length;
    options.onProgress?.(done, suspects.length);
    if (done < suspects.length && options.isEnough?.()) return result;
    size = Math.round(size * BATCH.aimMs / (performance.now() - began));
    size = Math.min(BATCH.most, Math.max(BATCH.fewest, size));
    await options.pause?.(suspects.length);
  }
  if (options.isEnough?.()) return result; // the list may lack files, which are not gone
  const isThere = ({ path }: ListedFile) => !waiting.has(path) && !vanished.has(path);
  const hidden = result.failed.map(({ path }) => path);
  const gone = stillThere === known.size && waiting.size === 0 && vanished.size === 0
    ? []
    : idsOfGone(known, new Set(listed.filter(isThere).map(({ path }) => path)), hidden);
  await index.remove(gone);
  if (!isSame(noted, waiting)) await index.files.setWaiting(id, [...waiting.values()]);
  result.removed = gone.length;
  result.waiting = waiting.size;
  return result;
}

/** Syncs some files of a folder that was in step, without a look at the others; undefined: only a whole sync can tell. */
export async function syncFiles(
  index: Index,
  folder: MemoryFolder,
  paths: readonly string[],
): Promise<SyncResult | undefined> {
  const found = paths.map((path) => [path, memoryFileAt(path, folder)] as const);
  const listed = found.flatMap(([, file]) => typeof file === "object" ? [file] : []);
  if (folder.trust !== undefined || found.some(([, file]) => file === "unsure")) return undefined;
  const id = (await index.files.idsOf([folder]))[0];
  if (id === undefined) return undefined; // it was gone, and has been forgotten
  const known = await index.files.knownAt(id, paths);
  const result = emptyResult();
  const vanished = new Set(paths.filter((path) => !listed.some((file) => file.path === path)));
  const entering = { folder, known, trusted: undefined, waiting: new Map(), vanished, result };
  await enter(index, id, { files: listed, ...entering });
  const gone = [...vanished].flatMap((path) => known.get(path)?.id ?? []);
  await index.remove(gone);
  result.removed = gone.length;
  return result;
}

/** The ids of files that are not in the folder any more, or are not trusted any more; not of those in hidden folders. */
function idsOfGone(
  known: ReadonlyMap<string, FileRecord>,
  present: ReadonlySet<string>,
  hidden: readonly string[],
): number[] {
  const isHidden = (path: string) => hidden.some((folder) => path.startsWith(folder + sep));
  return [...known].filter(([path]) => !present.has(path) && !isHidden(path))
    .map(([, file]) => file.id);
}

const NONE: ReadonlyMap<string, WaitingFile> = new Map();

function emptyResult(): SyncResult {
  return { added: 0, changed: 0, removed: 0, unchanged: 0, waiting: 0, failed: [] };
}

function isUntouched(before: Pick<FileRecord, "mtimeMs" | "size">, file: ListedFile): boolean {
  return before.mtimeMs === file.mtimeMs && before.size === file.size;
}

function isSame(
  noted: ReadonlyMap<string, WaitingFile>,
  waiting: ReadonlyMap<string, WaitingFile>,
): boolean {
  return noted.size === waiting.size && [...waiting.values()].every((file) => {
    const before = noted.get(file.path);
    return before?.digest === file.digest && isUntouched(before, file);
  });
}

async function enter(
  index: Index,
  id: number,
  { files, folder, known, trusted, waiting, vanished, result }: {
    readonly files: readonly ListedFile[];
    readonly folder: MemoryFolder;
    readonly known: ReadonlyMap<string, FileRecord>;
    /** The contents that may be entered; undefined: all. */
    readonly trusted: ReadonlySet<string> | undefined;
    /** Takes those that may not. */
    readonly waiting: Map<string, WaitingFile>;
    /** Takes those that were deleted since they were listed. */
    readonly vanished: Set<string>;
    readonly result: SyncResult;
  },
): Promise<void> {
  const put: Put[] = [];
  const touch: Touched[] = [];
  for (const { path } of files) {
    const before = known.get(path);
    try {
      const read = readMemoryFile(path, folder.scope);
      const file = await attributedIn(folder, read);
      const { size, mtimeMs, digest = "" } = file;
      const said = file.body === read.body ? saidIn(read) : "";
      const hash = contentHash(file);
      if (trusted !== undefined && !trusted.has(digest)) {
        waiting.set(path, { path, size, mtimeMs, digest });
      } else if (before?.hash === hash) {
        touch.push({ id: before.id, size, mtimeMs, digest, said });
        result.unchanged++;
      } else {
        put.push({ file, hash, said, ident: idOf(file, folder), label: labelOf(file, folder) });
        before === undefined ? result.added++ : result.changed++;
      }
    } catch (error) {
      if (!existsSync(path)) vanished.add(path);
      else result.failed.push({ path, because: (error as Error).message });
    }
  }
  const dated = await withCommitDates(folder, put.map(({ file }) => file));
  await index.put(id, put.map((each, i) => ({ ...each, file: dated[i]! })));
  await index.files.touch(touch);
}

/** A memory as it counts in its folder; of one that a session has written, that is noted: transcripts are deleted. */
async function attributedIn(folder: MemoryFolder, file: MemoryFile): Promise<MemoryFile> {
  const isNew = Date.now() - (asked.get(file.path) ?? 0) > AGAIN_MS;
  if (isUnwatched(file, folder) && isNew) {
    if (await isWritten(file, folder)) {
      await grant({ file: folder.trust!, project: folder.path }, [file.digest ?? ""], "memo");
    } else asked.set(file.path, Date.now());
  }
  return attributed(file, folder);
}

/** When a session was last looked for that has written a file, and how soon again. */
const asked = new Map<string, number>();
const AGAIN_MS = 60_000;

/** Whether a file of a folder counts as it did at the last sync: of auto memory only one that is trusted, as long as that stands. */
function vouchedIn(
  { scope, path, trust: file }: MemoryFolder,
): (known: { digest: string }) => boolean {
  if (scope !== "auto" || file === undefined) return () => true;
  const stamp = fileStamp(file), contents = trusted({ file, project: path });
  const isAsBefore = stamps.get(path) === stamp;
  stamps.set(path, stamp);
  return ({ digest }) => isAsBefore && contents.has(digest);
}

const stamps = new Map<string, string>();

/** Of everything that is indexed: a change of unknown front matter keys alone costs nothing. */
function contentHash(file: MemoryFile): string {
  const { path: _path, size: _size, mtimeMs: _mtimeMs, digest: _digest, ...content } = file;
  return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 32);
}

// Whether a session has written a file of Claude Code's auto memory, whose folder lies beside the project's transcripts.
/** The transcripts that were changed since the file was, at most, and how much of each is read. */
const MOST = 8, TAIL_BYTES = 16 * 1024 * 1024;
/** A file is written while its session's transcript is. */
const SLACK_MS = 60_000;

/** Whether the file names its session, or a session has called a tool that wrote it. */
export async function isWritten(
  { path, mtimeMs, source }: MemoryFile,
  folder: MemoryFolder,
): Promise<boolean> {
  const beside = dirname(folder.path);
  const session = source?.session;
  if (session !== undefined && existsSync(join(beside, `${basename(session)}.jsonl`))) return true;
  const transcripts = readdirSync(beside).filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(beside, name))
    .map((path) => ({ path, stats: statSync(path) }))
    .filter(({ stats }) => stats.isFile() && stats.mtimeMs > mtimeMs - SLACK_MS)
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs).slice(0, MOST);
  const wanted = `"file_path":${JSON.stringify(path)}`;
  for (const { path, stats } of transcripts) {
    const from = Math.max(0, stats.size - TAIL_BYTES);
    for await (const { text } of linesOf(path, { from, holding: [wanted] })) {
      if (text.includes('"tool_use"')) return true;
    }
  }
  return false;
}
