import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serializeMemory } from "../../../src/memory/file.ts";
import type { Memory, MemoryFolder } from "../../../src/memory/memory.ts";
import { fileName } from "../../../src/memory/slug.ts";
import { generateMemories } from "../../../bench/generate.ts";
import { memoryOf } from "../../../bench/store.ts";
import { readJsonLines, type SuiteDocument } from "../../../bench/suite.ts";

/** Of the notes of memo's own suite, which are about other work in the same field. */
const SUITE = "coding-agent";

export interface FurtherOptions {
  /** The folder of the bench's suites. */
  readonly suites: string;
  readonly count: number;
  /** When they were last written, at the latest. */
  readonly now: Date;
}

/** Writes notes that no task needs into a memory folder: those of memo's own suite first, then generated ones. */
export function addFurther(folder: MemoryFolder, { suites, count, now }: FurtherOptions): void {
  const documents = readJsonLines<SuiteDocument>(join(suites, SUITE, "corpus.jsonl"));
  const written: Memory[] = documents.map((document, number) =>
    memoryOf(document, { folder, number, now })
  );
  const notes = [...written, ...generateMemories(Math.max(0, count - written.length))];
  for (const [i, note] of notes.slice(0, count).entries()) {
    const name = fileName(note.type, note.name).replace(/\.md$/, `-${i}.md`);
    const path = join(folder.path, "further", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, serializeMemory(note), { mode: 0o600 });
    const at = new Date(Math.min(now.getTime(), Date.parse(note.updated ?? now.toISOString())));
    utimesSync(path, at, at);
  }
}
