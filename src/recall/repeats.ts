import { readFileSync } from "node:fs";
import { join } from "node:path";
import { analyze } from "../text/analyze.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { INDEX_FILE } from "../memory/store.ts";

/** Two texts that share this much of their words say the same. */
const SAME = 0.8;
/** A text is said already when this much of its words stands in one line. */
const CONTAINED = 0.85;
/** Fewer words than this are shared by chance. */
const FEW_WORDS = 5;
/** Of a long memory only the beginning is compared. */
const COMPARED_CHARS = 8192;
/** What Claude Code puts before the model of its own MEMORY.md. */
const NATIVE = { lines: 200, bytes: 25_000 };

/** The distinct words of a text. */
export type Words = ReadonlySet<string>;

/** The words that make up what a memory says. */
export function wordsOf(memory: Pick<IndexedMemory, "name" | "body">): Words {
  return new Set(analyze(memory.body === "" ? memory.name : memory.body.slice(0, COMPARED_CHARS)));
}

/** Whether two memories say the same: token Jaccard of their words. Memories of a few words never do. */
export function saySame(a: Words, b: Words): boolean {
  if (Math.min(a.size, b.size) < FEW_WORDS) return false;
  const shared = a.intersection(b).size;
  return shared / (a.size + b.size - shared) >= SAME;
}

/** Whether one of the lines says all that a memory says. */
export function isSaidIn(lines: readonly Words[], words: Words): boolean {
  return words.size >= FEW_WORDS &&
    lines.some((line) => words.intersection(line).size / words.size >= CONTAINED);
}

/** The lines of Claude Code's own MEMORY.md for the project, which the model has read already. */
export function nativeLines(folders: readonly MemoryFolder[]): Words[] {
  const auto = folders.find((folder) => folder.scope === "auto");
  if (auto === undefined) return [];
  try {
    const text = readFileSync(join(auto.path, INDEX_FILE)).subarray(0, NATIVE.bytes).toString(
      "utf8",
    );
    return text.split("\n").slice(0, NATIVE.lines).map((line) => new Set(analyze(line)));
  } catch {
    return []; // there is none
  }
}
