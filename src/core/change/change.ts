// A change to a memory folder as a value: decided about a file with a certain content, kept until it is done, applied
// once. Nothing else in memo writes or removes a memory.

import { isUtf8 } from "node:buffer";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { MemoError } from "../../errors.ts";
import type { JournalAppend } from "../journal/journal.ts";
import { bytesOf } from "../ledger/archive.ts";
import type { ChangeKind, FileIn, LogEntry } from "../ledger/change_log.ts";
import { memoryIn, serializeMemory } from "../memory/file.ts";
import {
  LONGEST_FILE,
  type Memory,
  type MemoryFolder,
  type OwnScope,
  type Scope,
} from "../memory/memory.ts";
import type { Conflict } from "../relation/relate.ts";
import { fileName } from "../memory/title.ts";
import { digestOf } from "../memory/trust.ts";
import { asMarked, basisOf, markOf } from "../memory/provenance.ts";
import { noteIdIn, teamNameIn } from "../memory/teams.ts";
import type { FoundMemory } from "../ledger/find.ts";
import { tooLarge } from "../files/bounded.ts";
import { readState, writeState } from "../files/state.ts";
import { hasTrait, isPersonal } from "../memory/types.ts";
import { type Place, projectAt } from "../memory/project.ts";
import { privateFolder, sharedFolderToWrite, userFolder } from "../memory/scopes.ts";

/** A file's content: text, or bytes that need not be UTF-8. */
export type FileContent = string | Uint8Array;

interface Common extends Pick<LogEntry, "what" | "group" | "because" | "undoes"> {
  readonly folder: MemoryFolder;
  /** Whether the log has it already, because both came from elsewhere. */
  readonly isLogged?: boolean;
}

/** A memory that a later one contradicts. */
export interface Against {
  readonly kind: Conflict;
  readonly name: string;
  readonly path: string;
}

/** Writes a new memory; where another memory has its file name, it gets a number. */
export interface Add extends Common {
  readonly kind: "add";
  /** The wanted path in the folder. */
  readonly file: string;
  readonly text: FileContent;
  /** The file's time; default: now. */
  readonly modified?: Date | undefined;
  /** An earlier memory that stays, though this one overtakes it by its words, or says otherwise. */
  readonly against?: Against | undefined;
  /** Puts it into the archive at once: an older version that is imported. */
  readonly isOld?: boolean;
}

/** A change of a file as it was when the decision was made. */
interface OfFile extends Common {
  readonly path: string;
  /** SHA-256 of the file. */
  readonly before: string;
}

/** Rewrites a memory unless it has changed since; the version before goes to the archive. */
export interface Replace extends OfFile {
  readonly kind: "replace";
  readonly text: FileContent;
  /** Adds the text as a new memory if the file has changed since: what was captured is not lost. */
  readonly orAdd?: true;
  /** Leaves a repository's memory as trusted or untrusted as it was; default: it is trusted now. */
  readonly keepsTrust?: true;
}

/** Moves a memory to its folder's archive unless it has changed since. */
export interface Archive extends OfFile {
  readonly kind: "archive";
}

/** Takes secrets out of a memory, and keeps no version with them. */
export interface Redact extends OfFile {
  readonly kind: "redact";
  readonly text: string;
}

/** A change to a memory file. */
export type FileChange = Add | Replace | Archive | Redact;

/** A change to a memory folder; applying it twice has the same effect as once. */
export type Change = FileChange | JournalAppend;

/** Changes that were decided together. */
export interface ChangePlan {
  readonly changes: readonly Change[];
}

interface Target {
  readonly memory: { readonly path: string };
  readonly folder: MemoryFolder;
}

type MemoryChangeOptions = Omit<Common, "folder" | "what">;

/** Adds a memory as `{type}_{slug}.md`; unknown keys and comments of an `original` text are kept. */
export function addition(
  memory: Memory,
  folder: MemoryFolder,
  { what = "add", original, ...options }: MemoryChangeOptions & {
    readonly what?: ChangeKind;
    readonly original?: string | undefined;
  } = {},
): Add & { readonly text: string } {
  const text = serializeMemory(memory, original);
  return { kind: "add", what, folder, file: fileName(memory.type, memory.name), text, ...options };
}

/**
 * Changes some fields of a memory as it is now; everything else in its file stays. Throws a `file` MemoError if the file
 * cannot be rewritten without a loss.
 */
export function revision(
  { memory: { path }, folder }: Target,
  fields: Partial<Memory>,
  { what, original, ...options }:
    & MemoryChangeOptions
    & Pick<Replace, "what" | "keepsTrust">
    & {
      /** A text whose unknown keys and comments are kept; default: the file's own. */
      readonly original?: string | undefined;
    },
): Replace & { readonly text: string } {
  const bytes = readFileSync(path);
  const refused = bytes.length > LONGEST_FILE
    ? tooLarge(LONGEST_FILE)
    : isUtf8(bytes)
    ? undefined
    : "it is not UTF-8 text";
  if (refused !== undefined) {
    throw new MemoError("file", `Cannot change \`${path}\`: ${refused}`, {
      hint: `Run \`memo edit ${basename(path)}\``,
    });
  }
  const before = bytes.toString("utf8");
  const text = serializeMemory({ ...memoryIn(before, path), ...fields }, original ?? before);
  return { kind: "replace", what, folder, path, before: digestOf(bytes), text, ...options };
}

/** Moves a memory as it is now to the archive. */
export function archival(
  { memory: { path }, folder }: Target,
  { what, ...options }: MemoryChangeOptions & Pick<Archive, "what">,
): Archive {
  const before = digestOf(readFileSync(path));
  return { kind: "archive", what, folder, path, before, ...options };
}

/** Writes a version to a memory's file, in place of the version that is there. */
export function restoring(place: FileIn, text: Uint8Array): FileChange {
  const { folder, file } = place;
  const path = join(folder.path, file);
  const there = bytesOf(path, folder.path);
  return there === undefined
    ? restoringBeside(place, text)
    : { kind: "replace", what: "restore", folder, path, before: digestOf(there), text };
}

/** Writes a version as a memory; where another memory has its file name by now, it gets a number. */
export function restoringBeside({ folder, file }: FileIn, text: Uint8Array): FileChange {
  return { kind: "add", what: "restore", folder, file, text };
}

/**
 * Adds a memory to the project's repository, or takes it back out. A memory private to the project is archived there; one
 * of the user's, or of Claude Code's, applies elsewhere too and stays. The copy names neither its source conversation
 * nor the prompts that it is not for, which are private.
 */
export function sharing(
  { memory, folder }: Pick<FoundMemory, "memory" | "folder">,
  to: MemoryFolder,
  group: string,
): FileChange[] {
  const isMoved = folder.scope === "project" || folder.scope === "shared";
  const change = { what: "share", group } as const;
  const original = readFileSync(memory.path, "utf8");
  const isUnmarked = basisOf(memory) === "elsewhere" && markOf(memory) === undefined;
  const same = isUnmarked ? asMarked(memory, "elsewhere") : memory; // whose word it is, its folder said
  return [
    addition({ ...same, source: undefined, never: undefined }, to, { original, ...change }),
    ...isMoved ? [archival({ memory, folder }, change)] : [],
  ];
}

/** Refuses to change a memory of Claude Code's auto memory, or of a team; `what` is the verb of the attempt. */
export function refuseForeign(
  { memory: { name, path }, folder }: Pick<FoundMemory, "folder"> & {
    readonly memory: Pick<FoundMemory["memory"], "name" | "path">;
  },
  what: string,
): void {
  if (folder.scope === "team") {
    const team = teamNameIn(path) ?? "TEAM";
    const id = noteIdIn(path) ?? "ID";
    throw new MemoError("usage", `Cannot ${what} \`${name}\`: this is a copy of a team's memory`, {
      hint: `Run \`memo team ${
        what === "forget" ? "retire" : "show"
      } ${id}\`; \`memo share MEMORY --to ${team} --change ${id}\` proposes a change`,
    });
  }
  if (folder.scope !== "auto") return;
  throw new MemoError(
    "usage",
    `Cannot ${what} \`${name}\`: it belongs to Claude Code's auto memory, which memo never changes`,
    { hint: `Run \`memo add TEXT\` to save your own memory, or edit \`${path}\` yourself` },
  );
}

// Plans in the state folder: one that was kept before its first change is finished after a kill.
/** Keeps a plan, with what its owner knows of it; it survives a power cut. */
export function keepPlan<Kept extends { readonly plan: ChangePlan }>(
  path: string,
  kept: Kept,
): void {
  writeState(path, kept, { durable: true });
}

/** The plan that is kept; undefined if there is none, or a damaged one, of which nothing was applied. */
export function keptPlan<Kept extends { readonly plan: ChangePlan }>(
  path: string,
): Kept | undefined {
  const kept = readState(path) as Partial<Kept> | undefined;
  return Array.isArray(kept?.plan?.changes) ? kept as Kept : undefined;
}

/** Forgets a plan that is done. */
export function dropPlan(path: string): void {
  rmSync(path, { force: true });
}

/** What decides where a new memory goes. */
export interface NewMemory {
  readonly type: string;
  /** Its words: what people say about themselves applies everywhere. */
  readonly text: string;
  /** The scope that a model or a source proposes; `capture.scope` may overrule it. */
  readonly proposed?: "user" | "project" | undefined;
  /** The scope that the person has chosen. */
  readonly scope?: OwnScope | undefined;
}

/**
 * The folder of a new memory, for everyone who writes one: the scope that the person chose; else the user's folder for
 * what is about the user, and in a project that project's private one. Nothing goes into a repository unless the person
 * or `capture.scope` says so. Throws a `usage` MemoError if the scope needs a project and there is none.
 */
export function folderForNew(
  { type, text, proposed, scope }: NewMemory,
  { place, setting }: { readonly place: Place; readonly setting: string },
): MemoryFolder {
  if (scope === "user") return userFolder(place);
  const project = projectAt(place);
  if (project === undefined) {
    if (scope === undefined) return userFolder(place);
    throw new MemoError(
      "usage",
      `Cannot add a ${scope} memory: \`${place.cwd}\` is not in a project`,
      { hint: "Run it in a project, or run `memo add --scope user`" },
    );
  }
  if (scope === "shared") return sharedFolderToWrite(project, place);
  if (scope === "project") return privateFolder(project);
  const isUsers = type === "user" || setting === "user" ||
    (setting === "auto" && proposed === "user") || (proposed === undefined && isPersonal(text));
  if (isUsers) return userFolder(place);
  // How people want to work is nothing for a repository unless somebody says so.
  const isOwn = proposed === undefined && hasTrait(type, "private");
  return setting === "shared" && !isOwn
    ? sharedFolderToWrite(project, place)
    : privateFolder(project);
}

/** Where the memories of each scope apply, for confirmations: “Saved for this project”. */
export const APPLIES: Readonly<Record<Scope, string>> = {
  user: "for every project",
  project: "for this project",
  shared: "for this repository",
  auto: "in Claude Code's auto memory",
  team: "for your team",
};
