// What a dream would make of memories, line by line: of the one that stays, its file before and after; of each that goes
// to the archive, what it says beside what stays. And how the two versions of one memory differ.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { MemoError } from "../../../errors.ts";
import { memoryIn } from "../../../core/memory/file.ts";
import type { Memory, MemoryFolder } from "../../../core/memory/memory.ts";
import { digestOf } from "../../../core/memory/trust.ts";
import type { Step } from "../../../features/upkeep/mod.ts";
import { type DiffLine, diffOf } from "../diff.ts";
import type { Conflict } from "./conflicts.ts";

/** A memory of a proposal, as the page shows it. */
export interface Part {
  readonly name: string;
  /** What its lines compare: the file that stays, or one that goes, with what stays; or two versions. */
  readonly role: "stays" | "goes" | "versions";
  readonly type: string;
  readonly scope: MemoryFolder["scope"];
  readonly project: string | null;
  /** When it was last changed, by its own word. */
  readonly at: string | null;
  readonly lines: readonly DiffLine[];
}

/** The memories of a dream's group of steps, the one that stays first. */
export function partsOf(steps: readonly Step[]): Part[] {
  const kept = steps.find(({ kind }) => kind === "replace");
  const text = kept?.kind === "replace" ? kept.text.toString() : "";
  const after = kept === undefined ? "" : wordsOf(memoryIn(text, kept.path));
  return steps.toSorted((a, b) => Number(b === kept) - Number(a === kept)).map((step): Part => {
    const before = textOf(step);
    const memory = memoryIn(before, step.path);
    const stays = step === kept;
    return {
      ...factsOf(memory, step.folder),
      role: stays ? "stays" : "goes",
      lines: stays ? diffOf(before, text) : diffOf(wordsOf(memory), after),
    };
  });
}

/** The two versions of a memory, from the one that does not apply to the one that does. */
export function versionsOf({ current, other, folder }: Conflict): Part[] {
  const lines = diffOf(other.text, current.text);
  return [{ ...factsOf(current.memory, folder), role: "versions", lines }];
}

function factsOf({ name, type, created, updated }: Memory, { scope, project }: MemoryFolder) {
  return {
    ...{ name, type, scope, project: project === undefined ? null : basename(project) },
    at: updated ?? created ?? null,
  };
}

/** The file that a step was decided about. */
function textOf({ path, before }: Step): string {
  try {
    const bytes = readFileSync(path);
    if (digestOf(bytes) === before) return bytes.toString("utf8");
  } catch {
    // it is gone
  }
  throw new MemoError("not-found", "A memory has changed since this was proposed", {
    hint: "Reload the list",
  });
}

/** What is compared of a memory: what recall gives of it. */
function wordsOf({ name, description, body }: Memory): string {
  return [name, description, body].filter((text) => text !== "").join("\n") + "\n";
}
