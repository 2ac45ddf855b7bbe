// What a capture is going to write, decided before anything is written: it is kept in the state folder until all of
// it is done, so that a capture that was cut short is finished and not made a second time.

import { createHash } from "node:crypto";
import type { JournalAppend } from "../journal/write.ts";
import type { MemoryFolder } from "../memory/memory.ts";

/** One change to a memory folder. Doing it twice is doing it once. */
export type Action =
  | {
    /**
     * Writes a new memory. A file with the hash `before` makes room for it and goes to the archive; beside any other
     * that has taken the place since it gets a number.
     */
    readonly kind: "write";
    readonly path: string;
    readonly folder: MemoryFolder;
    readonly text: string;
    /** SHA-256 of the superseded file that has the same name; undefined: the place was free. */
    readonly before: string | undefined;
  }
  | {
    /** Writes over a memory that a repeat has confirmed, unless it has changed since. */
    readonly kind: "confirm";
    readonly path: string;
    readonly folder: MemoryFolder;
    readonly text: string;
    readonly before: string;
  }
  | {
    /** Moves a memory that another one supersedes to its folder's archive, unless it has changed since. */
    readonly kind: "archive";
    readonly path: string;
    readonly folder: MemoryFolder;
    readonly before: string;
  }
  | JournalAppend;

/** Everything that some turns of a transcript have come to. */
export interface Plan {
  readonly actions: readonly Action[];
  /** Set when an answer was of no use: what comes after this turn is to be asked about again. */
  readonly rest?: { readonly after: string; readonly because: string };
  /** Why some of it was given up. */
  readonly dropped?: string;
}

/** How a plan knows a file's text again. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
