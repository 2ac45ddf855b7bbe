// A change to a memory folder as a value: decided about a file with a certain content, kept until it is done, applied
// once. Nothing else in memo writes or removes a memory.

import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { MemoError } from "../../errors.ts";
import type { JournalAppend } from "../journal/journal.ts";
import { bytesOf } from "../ledger/archive.ts";
import { type LogEntry } from "../ledger/change_log.ts";
import type { ChangeKind } from "../ledger/change_log.ts";
import { memoryIn, serializeMemory } from "../memory/file.ts";
import { LONGEST_FILE } from "../memory/limits.ts";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import type { Rivalry } from "../relation/relate.ts";
import { fileName } from "../memory/slug.ts";
import { digestOf } from "../memory/trust.ts";
import type { FileIn } from "../ledger/versions.ts";

/** A file's content: text, or bytes that need not be UTF-8. */
export type Content = string | Uint8Array;

interface Common extends Pick<LogEntry, "what" | "group" | "because" | "undoes"> {
  readonly folder: MemoryFolder;
  /** Whether the log has it already, because both came from elsewhere. */
  readonly isLogged?: boolean;
}

/** A memory that a later one contradicts. */
export interface Against {
  readonly kind: Rivalry;
  readonly name: string;
  readonly path: string;
}

/** Writes a new memory; where another memory has its file name, it gets a number. */
export interface Add extends Common {
  readonly kind: "add";
  /** The wanted path in the folder. */
  readonly file: string;
  readonly text: Content;
  /** The file's time; default: now. */
  readonly modified?: Date | undefined;
  /** An earlier memory that stays, though this one overtakes it by its words, or says otherwise. */
  readonly against?: Against | undefined;
  /** Puts it into the archive at once: an older version that is imported. */
  readonly isOld?: boolean;
}

/** Rewrites a memory unless it has changed since; the version before goes to the archive. */
export interface Replace extends Common {
  readonly kind: "replace";
  readonly path: string;
  /** SHA-256 of the file that the decision was made about. */
  readonly before: string;
  readonly text: Content;
  /** Adds the text as a new memory if the file has changed since: what was captured is not lost. */
  readonly orAdd?: true;
  /** Leaves a repository's memory as trusted or untrusted as it was; default: it is trusted now. */
  readonly keepsTrust?: true;
}

/** Moves a memory to its folder's archive unless it has changed since. */
export interface Archive extends Common {
  readonly kind: "archive";
  readonly path: string;
  readonly before: string;
}

/** Takes secrets out of a memory, and keeps no version with them. */
export interface Redact extends Common {
  readonly kind: "redact";
  readonly path: string;
  readonly before: string;
  readonly text: string;
}

/** A change to a memory file. */
export type FileChange = Add | Replace | Archive | Redact;

/** A change to a memory folder; applying it twice has the same effect as once. */
export type Change = FileChange | JournalAppend;

/** Changes that were decided together. */
export interface Plan {
  readonly changes: readonly Change[];
}

/** A memory that a change is about. */
interface Target {
  readonly memory: { readonly path: string };
  readonly folder: MemoryFolder;
}

type Options = Omit<Common, "folder" | "what">;

/** Adds a memory as `{type}_{slug}.md`; unknown keys and comments of an `original` text are kept. */
export function addition(
  memory: Memory,
  folder: MemoryFolder,
  { what = "add", original, ...options }: Options & {
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
    & Options
    & Pick<Replace, "what" | "keepsTrust">
    & {
      /** A text whose unknown keys and comments are kept; default: the file's own. */
      readonly original?: string | undefined;
    },
): Replace & { readonly text: string } {
  const bytes = readFileSync(path);
  const refused = bytes.length > LONGEST_FILE
    ? `it has ${bytes.length} bytes, and a memory has at most ${LONGEST_FILE}`
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
  { what, ...options }: Options & Pick<Archive, "what">,
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
