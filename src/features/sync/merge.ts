// Joins two versions of a file that have a common ancestor.

import { mergeDays, mergeLines } from "../../core/change/merge_lines.ts";
import { type Merged, mergeMemories, type Versions } from "../../core/change/merge_memories.ts";
import { parseMemory } from "../../core/memory/file.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { isArchived, isJournal } from "./portable.ts";
import { PROJECT_FILE } from "./repository.ts";

/** Merges a file of a memory folder. */
export function mergeFile(relativePath: string, { base, ours, theirs }: Versions): Merged {
  if (ours === theirs) return { text: ours };
  if (relativePath.endsWith(".jsonl")) return { text: mergeLines({ base, ours, theirs }) };
  if (base === theirs) return { text: ours };
  if (base === ours) return { text: theirs };
  if (ours === undefined || theirs === undefined) {
    return { text: ours ?? theirs, note: "edited here, deleted there" };
  }
  if (relativePath === PROJECT_FILE) return { text: ours }; // it has what the other knows (`projects.ts`)
  if (isJournal(relativePath)) return { text: mergeDays({ base, ours, theirs }) };
  if (isArchived(relativePath)) return { text: ours, sibling: theirs };
  return mergeMemories({ base, ours, theirs });
}

/** The file names that a memory says it replaces. */
export function supersededBy(text: string): Memory["supersedes"] {
  return parseMemory(text, { fallbackName: "" }).memory.supersedes;
}
