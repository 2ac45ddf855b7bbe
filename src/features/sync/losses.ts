// Memories that a sync would take away, here or on the other machines. A few are passed on; many at a time are more
// often an accident, and are a question.

import { inPlace, isLiveMemory, type Tree } from "./merge_trees.ts";
import type { Erased } from "./erased.ts";
import type { Synced } from "./projects.ts";

/** Memories of one folder that would go. */
export interface Loss {
  /** Where they would go: they are missing here, or another machine has deleted them. */
  readonly from: "other machines" | "this machine";
  /** The memory folder on this machine. */
  readonly folder: string;
  /** Their paths in the repository. */
  readonly gone: readonly string[];
  /** How many memories the folder has had. */
  readonly total: number;
}

/** What to do about losses: pass them on, take everything back, or leave all as it is. */
export type Decision = "delete" | "keep" | "stop";

/** So many at a time are a question in any case. */
const MANY = 20;
/** Fewer than so many are none. */
const FEW = 3;

/** The losses between two trees that are too large to be passed on unasked. */
export async function lossesOf(
  before: Tree,
  after: Tree,
  { folders, from, isErased }: {
    readonly folders: readonly Synced[];
    readonly from: Loss["from"];
    readonly isErased: Erased;
  },
): Promise<Loss[]> {
  const losses: Loss[] = [];
  const kept = new Set(after.values()); // in the archive, say, or under another name
  for (const { place, folder } of folders) {
    const memories = [...inPlace(before, place)].filter(([relativePath]) =>
      isLiveMemory(relativePath)
    );
    const gone: string[] = [];
    for (const [relativePath, id] of memories) {
      if (!after.has(relativePath) && !kept.has(id) && !await isErased(relativePath, id)) {
        gone.push(relativePath);
      }
    }
    const total = memories.length;
    const isMany = gone.length >= MANY || (gone.length >= FEW && gone.length > total / 3);
    if (isMany) losses.push({ from, folder: folder.path, gone, total });
  }
  return losses;
}
