// Triggers that a language model has suggested for memories with few of their own. They are state: no file of the
// user's is rewritten for them, and a memory whose text changes loses them.

import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Memory } from "./memory.ts";

/**
 * A memory with as many triggers of its own needs no others. Extraction mostly writes three or four, which say again
 * what the note says: with five others a quarter more of the needed facts come with prompts (README of the bench).
 */
export const ENOUGH_TRIGGERS = 5;

/** Triggers for the memories with a content. */
export interface Suggestion {
  /** `keyOf` the memory. */
  readonly key: string;
  readonly triggers: readonly string[];
  /** ISO 8601. */
  readonly at: string;
}

/** Hashes a memory's content: another text needs other triggers. */
export function keyOf({ name, description, body }: Pick<Memory, "name" | "description" | "body">) {
  const said = JSON.stringify([name, description, body]);
  return createHash("sha256").update(said).digest("hex").slice(0, 32);
}

/** A memory's own triggers and those that were suggested for it. */
export function allTriggers(
  { triggers }: Pick<Memory, "triggers">,
  suggested: readonly string[] | undefined,
): readonly string[] {
  return suggested === undefined ? triggers : [...new Set([...triggers, ...suggested])];
}

/** Every suggestion in the file, the newest for each key; damaged lines are skipped. */
export function readSuggestions(path: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const line of linesOf(path)) {
    try {
      const { key, triggers } = JSON.parse(line) as Partial<Suggestion>;
      if (typeof key === "string" && Array.isArray(triggers)) {
        found.set(key, triggers.filter((trigger) => typeof trigger === "string"));
      }
    } catch {
      // cut short by a crash
    }
  }
  return found;
}

/** Appends suggestions to the file, which only its owner can read. */
export function appendSuggestions(path: string, suggestions: readonly Suggestion[]): void {
  if (suggestions.length === 0) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lines = suggestions.map((suggestion) => JSON.stringify(suggestion) + "\n");
  appendFileSync(path, lines.join(""), { mode: 0o600 });
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
  } catch {
    return []; // nothing was suggested yet
  }
}
