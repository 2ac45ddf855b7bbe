// Triggers that a language model has suggested for memories with few of their own. They are state: no file of the
// user's is rewritten for them, and a memory whose text changes loses them.

import { createHash } from "node:crypto";
import { appendLines, keepNewest, readLines } from "../files/jsonl.ts";
import type { Memory } from "./memory.ts";
import { isMarked } from "./provenance.ts";

/**
 * A memory with as many triggers of its own needs no others. Extraction is asked for more; what is added by hand or by
 * an editor has mostly none (README of the bench).
 */
export const ENOUGH_TRIGGERS = 5;

/** Triggers for the memories with a content. */
export interface Suggestion {
  /** `keyOf` the memory. */
  readonly key: string;
  readonly triggers: readonly string[];
  /** ISO 8601. */
  readonly at: string;
  /** Whether the model's answer was unusable, so that the memory is asked about again. */
  readonly failed?: boolean;
}

/** After this many unusable answers a memory is not asked about again by itself. */
const MOST_FAILURES = 3;

/** Hashes a memory's content: another text needs other triggers. */
export function keyOf({ name, description, body }: Pick<Memory, "name" | "description" | "body">) {
  const said = JSON.stringify([name, description, body]);
  return createHash("sha256").update(said).digest("hex").slice(0, 32);
}

/**
 * A memory's own triggers and those that were suggested for it. What is not the user's word has none: with a trigger, a
 * page's author would choose the prompts that it comes with.
 */
export function allTriggers(
  { triggers, tags }: Pick<Memory, "triggers" | "tags">,
  suggested: readonly string[] | undefined,
): readonly string[] {
  if (isMarked({ tags })) return [];
  return suggested === undefined ? triggers : [...new Set([...triggers, ...suggested])];
}

/** Every suggestion in the file, the newest for each key; damaged lines are skipped. */
export function readSuggestions(path: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { key, triggers, failed } of read(path)) {
    if (!failed) found.set(key, triggers.filter((trigger) => typeof trigger === "string"));
  }
  return found;
}

/** The keys of memories that too many answers about were unusable. */
export function skippedAfterFailures(path: string): Set<string> {
  const failures = new Map<string, number>();
  for (const { key, failed } of read(path)) {
    if (failed) failures.set(key, (failures.get(key) ?? 0) + 1);
  }
  const keys = [...failures].filter(([, times]) => times >= MOST_FAILURES).map(([key]) => key);
  return new Set(keys);
}

/** Of a longer file the newest stay, those of some 15,000 contents: a memory that has lost its own is asked about again. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Appends suggestions to the file, which only its owner can read. */
export function appendSuggestions(path: string, suggestions: readonly Suggestion[]): void {
  appendLines(path, suggestions, Infinity);
  keepNewest(path, (line) => /"key":"(\w+)"/.exec(line)?.[1] ?? "", MAX_BYTES);
}

function read(path: string): Suggestion[] {
  return readLines(path).flatMap((line) => {
    const { key, triggers, at = "", failed } = (line ?? {}) as Partial<Suggestion>;
    const isSound = typeof key === "string" && Array.isArray(triggers);
    return isSound ? [{ key, triggers, at, failed: failed === true }] : [];
  });
}
