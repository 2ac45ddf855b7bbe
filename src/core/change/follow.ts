// What follows every change of memories, whoever makes it: `MEMORY.md`, the index, and a notice for the person.

import { MemoError, messageOf } from "../../errors.ts";
import {
  type IndexLine,
  type IndexLines,
  MOST_LISTED,
  newestFirst,
  readMemories,
} from "../memory/list.ts";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import { isSuspectMemory, provenanceOf } from "../memory/provenance.ts";
import type { Done } from "./carry_out.ts";
import { readState, writeState } from "../files/state.ts";
import type { Against } from "./change.ts";
import { lstatSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { withSlashes } from "../files/slashes.ts";
import { INDEX_FILE } from "../memory/folder.ts";
import { oneLine } from "../text/neutralise.ts";

/** Where changes are made. */
export interface Surroundings {
  readonly now: Date;
  /**
   * Brings what is derived from some folders in step: index and `MEMORY.md`, with the engine's own index or a running
   * daemon's. Returns the folders whose `MEMORY.md` is still to be written, from their files.
   */
  sync(changed: readonly ChangedFolder[]): Promise<readonly MemoryFolder[]>;
  /** Takes a failure that does not undo a change. */
  warn(message: string): void;
  /** Whether a model runs the command that makes them, and so may not make every one. */
  readonly isByModel?: boolean;
  /** What becomes of changes that no person at a terminal has made; undefined: one has. */
  readonly notices?: Noticing | undefined;
}

/** How the person learns of changes. */
export interface Noticing {
  /** The file of notices. */
  readonly path: string;
  /** The session that made the changes. */
  readonly session?: string | undefined;
  /** Whether a rule that was saved could be a guard. */
  readonly isOffered?: ((rule: Memory) => boolean) | undefined;
}

/** A folder in which files have changed. */
export interface ChangedFolder {
  readonly folder: MemoryFolder;
  /** Which ones; undefined: any. */
  readonly paths?: readonly string[] | undefined;
}

/** Follows up changes; a failure is reported and does not undo them. */
export async function follow(done: readonly Done[], surroundings: Surroundings): Promise<void> {
  const byFolder = Map.groupBy(done, ({ change }) => change.folder.path);
  await followFolders(
    [...byFolder.values()].map((some) => ({
      folder: some[0]!.change.folder,
      paths: some.map(({ path }) => path),
    })),
    surroundings,
  );
  const { notices, now } = surroundings;
  if (notices === undefined) return;
  leaveNotices(
    notices.path,
    done.flatMap((each) => noticeOf(each, { done, at: now.toISOString(), ...notices })),
  );
}

/** Follows up changes that others have made in some folders. */
export async function followFolders(
  changed: readonly ChangedFolder[],
  { sync, warn }: Pick<Surroundings, "sync" | "warn">,
): Promise<void> {
  if (changed.length === 0) return;
  for (const folder of await sync(changed)) listFolder(folder, { warn });
}

/** Writes `MEMORY.md` of a folder, from its files unless the lines are known; a failure is reported. */
export function listFolder(
  folder: MemoryFolder,
  { lines, warn }: Pick<Surroundings, "warn"> & { readonly lines?: IndexLines | undefined },
): void {
  try {
    writeIndexFile(folder, lines);
  } catch (error) {
    warn(messageOf(error)); // the next change writes it again
  }
}

/** The kinds of changes that the person is told of, and the word for each. */
const NOTICED_AS: Readonly<Partial<Record<Done["change"]["what"], Notice["what"]>>> = {
  ...{ add: "saved", supersede: "saved", edit: "updated", forget: "forgot" },
};

function noticeOf(
  { change, path, memory, was }: Done,
  { done, at, session, isOffered }: Noticing & {
    readonly done: readonly Done[];
    readonly at: string;
  },
): Notice[] {
  const { kind, what, group, folder } = change;
  const word = NOTICED_AS[what];
  if (word === undefined || (kind === "archive" && word !== "forgot")) return [];
  const archived = done.find(({ change }) =>
    change.kind === "archive" && group !== undefined && change.group === group
  );
  const replaced = archived?.memory.name ?? was;
  const isHeld = isSuspectMemory(memory);
  const notice: Notice = {
    at,
    what: isHeld ? "held" : word,
    name: memory.name,
    path,
    folder: folder.path,
    session: session ?? memory.source?.session,
    ...replaced !== undefined && replaced !== memory.name && { replaced },
    ...kind === "add" && change.against !== undefined && { against: change.against },
  };
  const { replaced: _, against: __, ...offer } = { ...notice, what: "offered" } as const;
  return word === "saved" && !isHeld && isOffered?.(memory) ? [notice, offer] : [notice];
}

// What memo has done to memories without a person at a terminal, until somebody has been told: capture ends after the
// answer, perhaps after the session.
/** What is told of a change. */
export const NOTICED = ["saved", "updated", "forgot", "held", "offered"] as const;

/** A change that nobody has been told of. */
export interface Notice {
  readonly at: string;
  readonly what: typeof NOTICED[number];
  /** The memory's name. */
  readonly name: string;
  /** The name of the memory whose place it took. */
  readonly replaced?: string | undefined;
  /** The memory that it overtakes or contradicts, and that is still there. */
  readonly against?: Pick<Against, "kind" | "name"> | undefined;
  /** The memory folder: where it applies, its sessions are told. */
  readonly folder: string;
  /** The memory's file, without which there is nothing to tell but that it was forgotten. */
  readonly path?: string | undefined;
  /** The conversation that it comes from. */
  readonly session?: string | undefined;
}

/** Where nobody is ever told, the oldest are given up. */
const MOST = 50;

/** The notices that wait, oldest first. */
export function readNotices(path: string): Notice[] {
  const notices: unknown = readState(path);
  return Array.isArray(notices) ? notices.filter(isNotice) : [];
}

/** Leaves notices for the next hook that can show them; no hook speaks for a client without a session. */
export function leaveNotices(path: string, notices: readonly Notice[]): void {
  const left = notices.filter(({ session }) => session);
  if (left.length === 0) return;
  const isForgotten = ({ name, folder }: Notice) =>
    left.some((other) => other.what === "forgot" && other.name === name && other.folder === folder);
  const before = readNotices(path).filter((notice) => !isForgotten(notice));
  writeState(path, [...before, ...left].slice(-MOST));
}

/** Takes notices away that have been shown. */
export function dropNotices(path: string, shown: readonly Notice[]): void {
  const gone = new Set(shown.map((notice) => JSON.stringify(notice)));
  const left = readNotices(path).filter((notice) => !gone.has(JSON.stringify(notice)));
  writeState(path, left);
}

function isNotice(value: unknown): value is Notice {
  const { at, what, name, replaced = "", folder } = (value ?? {}) as Partial<
    Record<keyof Notice, unknown>
  >;
  return [at, name, replaced, folder].every((field) => typeof field === "string") &&
    NOTICED.some((known) => known === what);
}

/** A file with another beginning is the user's own. */
const MARK = "<!-- Generated by memo";
const HEAD = `${MARK} from the memories in this folder; changes here are overwritten -->`;
/** The limits up to which Claude Code loads such a file. */
const MAX_LINES = MOST_LISTED + 1;
const MAX_BYTES = 25_000;
/** Longer names and descriptions are cut, so that one memory cannot crowd out the others. */
const MAX_NAME = 100;
const MAX_DESCRIPTION = 160;

/**
 * Writes `MEMORY.md` of one of the user's own memory folders: one line per memory, newest first. A file of that name that
 * memo did not write is left alone, and so is Claude Code's own auto memory. A repository gets none: checked in, a
 * generated file conflicts whenever two people share a memory. Reads all files unless it is told what they say.
 */
export function writeIndexFile(
  folder: MemoryFolder,
  known?: IndexLines,
): "written" | "unchanged" | "skipped" {
  if (folder.scope !== "user" && folder.scope !== "project") return "skipped";
  const path = join(folder.path, INDEX_FILE);
  try {
    if (!isFolder(folder.path) || foreignIndexFile(folder) !== undefined) return "skipped";
    const text = indexText(known ?? readLines(folder), folder.path);
    if (text === readRegular(path)) return "unchanged";
    writeFileAtomic(path, text);
    return "written";
  } catch (error) {
    throw new MemoError("file", `Cannot write \`${path}\`: ${messageOf(error)}`, {
      hint: `Check that \`${folder.path}\` is writable`,
      cause: error,
    });
  }
}

function readLines(folder: MemoryFolder): IndexLines {
  // A file that cannot be read does not hide the others.
  const memories = readMemories(folder).memories.filter((memory) => !isSuspectMemory(memory));
  return { memories: memories.toSorted(newestFirst), total: memories.length };
}

/** The path of a folder's `MEMORY.md` that memo did not write and so leaves alone; undefined if there is none. */
export function foreignIndexFile(folder: MemoryFolder): string | undefined {
  if (folder.scope === "auto") return undefined;
  const path = join(folder.path, INDEX_FILE);
  const text = isFolder(folder.path) ? readRegular(path) : undefined;
  return text === undefined || text.startsWith(MARK) ? undefined : path;
}

/** The text of an index file: whole lines, at most 200 and 25,000 bytes. */
export function indexText({ memories, total }: IndexLines, folder: string): string {
  const lines = memories.slice(0, MOST_LISTED).map((memory) => entry(memory, folder));
  const all = joined([HEAD, ...lines]);
  if (lines.length === total && fits(all)) return all;
  for (let listed = Math.min(lines.length, MAX_LINES - 2);; listed--) {
    const some = joined([HEAD, ...lines.slice(0, listed), remainder(total - listed)]);
    if (fits(some)) return some;
  }
}

function joined(lines: readonly string[]): string {
  return lines.join("\n") + "\n";
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_BYTES && text.split("\n").length - 1 <= MAX_LINES;
}

function entry(memory: IndexLine, folder: string): string {
  const name = shorten(memory.name, MAX_NAME).replace(/[\\[\]`<]/g, "\\$&");
  const description = shorten(memory.description, MAX_DESCRIPTION);
  const said = provenanceOf(memory);
  const mark = said === undefined ? "" : ` (${said})`;
  const link = `- [${name}](${linkTo(memory.path, folder)})${mark}`;
  return description === "" ? link : `${link} — ${description}`;
}

function remainder(count: number): string {
  return `- … ${count} older memories are not listed: \`memo list\` shows them; \`memo forget NAME\` ` +
    "archives one to make room";
}

function shorten(text: string, longest: number): string {
  const characters = [...oneLine(text)];
  if (characters.length <= longest) return characters.join("");
  return characters.slice(0, longest - 1).join("").trimEnd() + "…";
}

/** A relative link, with the characters that would end it or have a meaning in it percent-encoded. */
function linkTo(path: string, folder: string): string {
  return withSlashes(relative(folder, path)).replace(
    /[\s\p{Cc}()<>[\]\\%#?`]/gu,
    (character) =>
      [...Buffer.from(character)].map((byte) =>
        `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
      ).join(""),
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The text of a file; undefined if it is missing, `""` for a link or a folder. */
function readRegular(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isFile() ? readFileSync(path, "utf8") : "";
}
