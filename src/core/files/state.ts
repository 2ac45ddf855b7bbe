import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { lockOf } from "../../paths.ts";
import { waitForLock } from "./lock.ts";
import { parsed, readIfExists, textAt } from "./there.ts";
import { writeFileAtomic } from "./atomic.ts";

/** The contents of a state file; undefined if it is missing or damaged. */
export function readState(path: string): Record<string, unknown> | undefined {
  const value = parsed(textAt(path) ?? "");
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : undefined;
}

/** Replaces a state file atomically; `durable`: it also survives a power cut. */
export function writeState(
  path: string,
  value: unknown,
  { durable = false }: { readonly durable?: boolean } = {},
): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, JSON.stringify(value) + "\n", { durable });
}

/** Writing takes a millisecond; after this long the holder of a lock hangs or has died. */
const LOCK = { freshMs: 10_000, waitMs: 5000 } as const;

/**
 * Changes a state file that no other process may change meanwhile. Throws a `file` MemoError if it is there and `read`
 * throws: it must not be overwritten, and `hint` says what its owner can do.
 */
export async function changeState<T>(
  path: string,
  alter: (value: T) => unknown,
  { read, hint }: {
    /** The value in the text of the file; undefined: there is no file. */
    readonly read: (text: string | undefined) => T;
    readonly hint: string;
  },
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const release = await waitForLock(lockOf(path), LOCK);
  if (release === undefined) {
    throw new MemoError("timeout", `Cannot write \`${path}\`: another process has locked it`, {
      hint: `Remove \`${lockOf(path)}\` if memo is not running`,
    });
  }
  try {
    const value = alter(read(readIfExists(path)));
    writeFileAtomic(path, JSON.stringify(value, null, 1) + "\n");
  } catch (error) {
    const because = messageOf(error);
    throw new MemoError("file", `Cannot write \`${path}\`: ${because}`, { hint, cause: error });
  } finally {
    release();
  }
}
