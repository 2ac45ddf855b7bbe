// The changes that a capture will make, decided before anything is written. The plan is kept in the state folder until
// it is complete, so that an interrupted capture is finished and not repeated.

import { createHash } from "node:crypto";
import type { JournalAppend } from "../journal/write.ts";
import type { MemoryFolder } from "../memory/memory.ts";

/** One change to a memory folder; applying it twice has the same effect as once. */
export type Action =
  | {
    /**
     * Writes a new memory. A file with the hash `before` moves to the archive to make room; if any other file has taken
     * the path since, the new one gets a number.
     */
    readonly kind: "write";
    readonly path: string;
    readonly folder: MemoryFolder;
    readonly text: string;
    /** SHA-256 of the superseded file with the same name; undefined: the path was free. */
    readonly before: string | undefined;
    /** Joins it with the removal of the memory that it supersedes, if that has another name. */
    readonly group?: string;
    /** The name of the memory that it supersedes. */
    readonly replaces?: string;
  }
  | {
    /** Rewrites a memory that a repeat has confirmed, unless it has changed since. */
    readonly kind: "confirm";
    readonly path: string;
    readonly folder: MemoryFolder;
    readonly text: string;
    readonly before: string;
  }
  | {
    /** Moves a superseded memory to its folder's archive, unless it has changed since. */
    readonly kind: "archive";
    readonly path: string;
    readonly folder: MemoryFolder;
    readonly before: string;
    readonly group?: string;
  }
  | JournalAppend;

/** All changes for some turns of a transcript. */
export interface Plan {
  readonly actions: readonly Action[];
  /** Set after an unusable answer: the turns after this one are to be asked about again. */
  readonly rest?: { readonly after: string; readonly because: string };
  /** Why part of it was given up. */
  readonly dropped?: string;
}

/** The hash that identifies a file's text in a plan. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
