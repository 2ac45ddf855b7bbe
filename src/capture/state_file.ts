import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { shortHash } from "../paths.ts";

/**
 * The state file of a transcript in one of capture's folders, named by a hash because an outside path is not a safe
 * file name.
 */
export function fileFor(folder: string, transcript: string): string {
  return join(folder, `${shortHash(transcript)}${shortHash(transcript + "/")}.json`);
}

/** The paths of all files in one of capture's folders. */
export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\w+\.json$/.test(name))
      .map((name) => join(folder, name));
  } catch {
    return []; // nothing was ever stored there
  }
}

/** The contents of a state file; undefined if it is missing or damaged. */
export function readState(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces a state file atomically; `durable`: it also survives a power cut. */
export function writeState(path: string, value: unknown, { durable }: { durable: boolean }): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, JSON.stringify(value) + "\n", { durable });
}
