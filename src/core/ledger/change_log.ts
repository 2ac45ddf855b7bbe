// The log of changes: one line of JSON for each change that memo makes to a memory folder, beside the archive that
// keeps the earlier versions. A line is written before its change, so that no change goes unrecorded; one whose change
// failed is taken back by another line.

import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { codeOf, messageOf } from "../../errors.ts";
import { blobId } from "../files/git.ts";
import { appendLine, readLines, rewriteLines } from "../files/jsonl.ts";
import { parsed, readIfExists, statsOf } from "../files/there.ts";
import {
  archiveFor,
  archiveOf,
  bytesOf,
  cannotRead,
  listArchive,
  originalName,
  versionBytes,
} from "./archive.ts";
import { refuseLink } from "../memory/folder.ts";
import { mayChange, type MemoryFolder } from "../memory/memory.ts";
import { readFileSync } from "node:fs";

/** Everything that memo does to a memory, and the word for it in `memo log`. */
export const CHANGES = {
  add: "added",
  confirm: "confirmed",
  supersede: "superseded",
  edit: "edited",
  pin: "pinned",
  unpin: "unpinned",
  share: "shared",
  move: "moved",
  import: "imported",
  enrich: "enriched",
  redact: "redacted",
  forget: "forgot",
  restore: "restored",
  undo: "undid",
  merge: "merged",
  drop: "dropped",
  contradiction: "contradicted",
  sync: "synced",
  conflict: "kept both",
  settle: "settled",
  apart: "kept apart",
  // Of earlier versions of memo; their lines stay in the log.
  rewrite: "rewrote",
  date: "dated",
} as const;
export type ChangeKind = keyof typeof CHANGES;

/** An earlier version of a memory. */
export interface MemoryVersion {
  /** Its path in the archive. */
  readonly archived: string;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

/** One change to one memory. */
export interface LogEntry {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly what: ChangeKind;
  /** The memory's name, after the change if it still exists. */
  readonly name: string;
  readonly type: string;
  /** Its path in the folder. */
  readonly file: string;
  /** The conversation that the memory comes from. */
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
  /** The version that the change replaced; undefined: there was no file. */
  readonly before?: MemoryVersion | undefined;
  /** SHA-256 of the file after the change; undefined: there is no file. */
  readonly after?: string | undefined;
  /** Changes with the same group belong together; `RUN/NUMBER` is a part of a run. */
  readonly group?: string | undefined;
  /** The ids of the changes that this one reverted. */
  readonly undoes?: readonly string[] | undefined;
  /** The content that was enriched. */
  readonly key?: string | undefined;
  /** The file that has the name which another machine's memory had, too. */
  readonly beside?: string | undefined;
  /** The content that it was told apart from. */
  readonly apart?: string | undefined;
  /** Why, in one line. */
  readonly because?: string | undefined;
}

/** A change with its folder, as read from the log. */
export interface Logged extends LogEntry {
  readonly folder: MemoryFolder;
  /** Whether a later change has reverted it. */
  readonly undone: boolean;
}

/** The name of the log in an archive. */
export const CHANGE_LOG = "changes.jsonl";

/** The log of a folder. */
export function changeLog(folder: MemoryFolder): string {
  return join(archiveOf(folder), CHANGE_LOG);
}

/** An id for a change, or for a group of them. */
export function newChangeId(): string {
  return randomBytes(5).toString("hex");
}

/** Logs a change and makes it; a change that throws is taken out of the log. Claude Code's own memories have no log. */
export function logged<T>(folder: MemoryFolder, change: Omit<LogEntry, "id">, make: () => T): T {
  if (!mayChange(folder.scope)) return make();
  refuseLink(archiveOf(folder));
  const path = changeLog(folder);
  const id = newChangeId();
  try {
    appendLine(path, { id, ...change }, Infinity);
  } catch (error) {
    if (!FULL.includes(codeOf(error) ?? "")) throw error; // a file can be moved on a full disk
  }
  try {
    return make();
  } catch (error) {
    try {
      appendLine(path, { void: id }, Infinity);
    } catch {
      // the disk is full, say: the reader compares the content anyway
    }
    throw error;
  }
}

/**
 * Records contents that are about to be erased for good, by git's ids of them. It is a line of the log, so that it
 * travels: a sync deletes what another machine has erased, and archives everything else.
 */
export function recordErased(folder: MemoryFolder, contents: readonly Uint8Array[]): void {
  if (!mayChange(folder.scope) || contents.length === 0) return;
  refuseLink(archiveOf(folder));
  appendLine(changeLog(folder), { erased: contents.map(blobId) }, Infinity);
}

/** The contents that a log records as erased. */
export function erasedIn(log: string): string[] {
  return log.split("\n").filter((line) => line.startsWith('{"erased":')).flatMap((line) => {
    const ids = (parsed(line) as { erased?: unknown } | undefined)?.erased;
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
  });
}

/** The changes in the text of a log, oldest first. */
export function parseChanges(log: string): LogEntry[] {
  return log.split("\n").map(parsed).filter(isChange);
}

/** What a full disk answers. */
const FULL = ["ENOSPC", "EDQUOT", "EFBIG"];

/**
 * The changes in some folders, oldest first: those of one log in its order, also where the clock has been set back, and
 * logs against each other by their times. Throws a `file` MemoError for a log that cannot be read.
 */
export function readChanges(folders: readonly MemoryFolder[]): Logged[] {
  return folders.flatMap((folder) => inOrder(changesIn(folder), ({ at }) => at))
    .sort(byTime).map(({ value }) => value);
}

/** Puts what has a time in the order of times. */
export function byTime(a: { readonly at: string }, b: { readonly at: string }): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}

/** Each line of a log with a time that is none before that of the lines above. */
export function inOrder<T>(lines: readonly T[], timeOf: (line: T) => string) {
  let at = "";
  return lines.map((value) => {
    const own = timeOf(value);
    return { value, at: at = own > at ? own : at };
  });
}

/** Whether an id names a change, its group, or the run that its group is a part of. */
export function isOf({ id, group }: LogEntry, wanted: string): boolean {
  return id === wanted || group === wanted || (group?.startsWith(`${wanted}/`) ?? false);
}

/** Overwrites the lines of some changes with blanks, in place: what others append meanwhile is kept. */
export function blankOut(path: string, isGone: (line: unknown) => boolean): number {
  return rewriteLines(path, (line) => isGone(parsed(line)) ? "" : undefined);
}

/** Removes the reasons of some changes in place. */
export function dropReasons(path: string, isMeant: (change: Partial<LogEntry>) => boolean): number {
  return rewriteLines(path, (line) => {
    const { because, ...change } = (parsed(line) ?? {}) as Partial<LogEntry>;
    return because !== undefined && isMeant({ because, ...change })
      ? JSON.stringify(change)
      : undefined;
  });
}

function changesIn(folder: MemoryFolder): Logged[] {
  if (!mayChange(folder.scope)) return [];
  const path = changeLog(folder);
  let lines: unknown[];
  try {
    lines = readLines(path, readIfExists);
  } catch (error) {
    throw cannotRead({ path, because: messageOf(error) });
  }
  const voided = new Set(lines.map((line) => (line as { void?: unknown } | null)?.void));
  const changes = repeatedOnce(lines.filter(isChange).filter(({ id }) => !voided.has(id)));
  const undone = undoneIn(changes);
  return changes.map((change) => ({ ...change, folder, undone: undone.has(change.id) }));
}

/** The ids of reverted changes; to revert a reversion makes the change count again. */
function undoneIn(changes: readonly LogEntry[]): Set<string> {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const undone = new Set<string>();
  for (const id of changes.flatMap(({ undoes = [] }) => undoes)) {
    undone.add(id);
    for (const again of byId.get(id)?.undoes ?? []) undone.delete(again);
  }
  return undone;
}

/** Without the changes that were logged, killed, and then logged and made again. */
function repeatedOnce(changes: readonly LogEntry[]): LogEntry[] {
  const last = new Map<string, LogEntry>();
  const dropped = new Set<LogEntry>();
  for (const change of changes) {
    const before = last.get(change.file);
    if (before !== undefined && isSame(before, change)) dropped.add(before);
    last.set(change.file, change);
  }
  return changes.filter((change) => !dropped.has(change));
}

function isSame(a: LogEntry, b: LogEntry): boolean {
  return a.what === b.what && a.after === b.after && a.before?.digest === b.before?.digest &&
    a.key === b.key && a.apart === b.apart &&
    a.undoes?.join() === b.undoes?.join(); // two marks of one memory are taken back by two lines
}

function isChange(line: unknown): line is LogEntry {
  const { id, at, what, file, name } = (line ?? {}) as Partial<Record<keyof LogEntry, unknown>>;
  return [id, at, what, file, name].every((field) => typeof field === "string") &&
    Object.hasOwn(CHANGES, what as string);
}

// Which version of a memory was in use at a time, by the log, or by the archive for what is older than the log.
/** A file's place among the memories of a folder; there may be no file now. */
export interface FileIn {
  readonly folder: MemoryFolder;
  /** Its path in the folder, as in the log. */
  readonly file: string;
}

/** A moment, or the id of a change: the version as it was right after it. */
export type When = Date | { readonly change: string };

/** A version of a memory, or why there is none. */
export type FoundVersion =
  | { readonly kind: "version"; readonly bytes: Uint8Array }
  | { readonly kind: "none"; readonly because: string };

/** The changes of one file, oldest first. */
export function changesOf({ folder, file }: FileIn): Logged[] {
  return readChanges([folder]).filter((change) => change.file === file && change.key === undefined);
}

/** The version of a file at a time. */
export function versionAt(place: FileIn, when: When): FoundVersion {
  const changes = changesOf(place);
  if (!(when instanceof Date)) {
    const change = changes.find(({ id }) => id.startsWith(when.change));
    return change === undefined
      ? none(`it has no change \`${when.change}\``)
      : after(change, place);
  }
  const at = when.toISOString();
  const last = changes.findLast((change) => change.at <= at);
  if (last !== undefined) {
    return last.after === undefined && last.before !== undefined
      ? none(`it was archived then`)
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

function after(change: Logged, place: FileIn): FoundVersion {
  if (change.after === undefined) return before(change, place);
  return bytesFor({ archived: "", digest: change.after }, place);
}

function before({ before }: Logged, place: FileIn): FoundVersion {
  return before === undefined ? none("it did not exist then") : bytesFor(before, place);
}

function bytesFor(
  version: { readonly archived: string; readonly digest: string },
  { folder, file }: FileIn,
): FoundVersion {
  const bytes = versionBytes(version, { path: join(folder.path, file), folder });
  return foundAs(bytes, "that version is no longer in the archive");
}

/** The first version that was archived after a time, of a memory whose changes were not logged. */
function beforeTheLog({ folder, file }: FileIn, when: Date): FoundVersion | undefined {
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

function current({ folder, file }: FileIn): FoundVersion {
  return foundAs(bytesOf(join(folder.path, file), folder.path), "it does not exist");
}

function foundAs(bytes: Uint8Array | undefined, because: string): FoundVersion {
  return bytes === undefined ? none(because) : { kind: "version", bytes };
}

function none(because: string): FoundVersion {
  return { kind: "none", because };
}
