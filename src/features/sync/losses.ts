// Memories that a sync would take away, here or on the other machines. A few are passed on; many at a time are more
// often an accident, and are a question; but what `memo forget --hard` has erased may go without a copy.

import { inPlace, isLiveMemory, placeOf, type Tree } from "./merge_trees.ts";
import type { Synced } from "./projects.ts";
import { erasedIn } from "../../core/ledger/change_log.ts";
import { LOG } from "./portable.ts";
import type { Repository } from "./repository.ts";

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

/** Whether the content of a path was erased, by the log of its folder. */
export type Erased = (relativePath: string, id: string) => Promise<boolean>;

/** What the logs of some trees say. */
export function erasedBy(repository: Repository, trees: readonly Tree[]): Erased {
  const byPlace = new Map<string, Promise<ReadonlySet<string>>>();
  const read = async (place: string) => {
    const relativePath = `${place}/${LOG}`;
    const ids = new Set(trees.flatMap((tree) => tree.get(relativePath) ?? []));
    const small = [...ids].filter((id) => !repository.isTooLarge(relativePath, id));
    const texts = await Promise.all(small.map((id) => repository.readText(id)));
    return new Set(texts.flatMap(erasedIn));
  };
  return async (relativePath, id) => {
    const { place } = placeOf(relativePath);
    if (!byPlace.has(place)) byPlace.set(place, read(place));
    return (await byPlace.get(place)!).has(id);
  };
}
