// Which contents `memo forget --hard` has erased for good: only they may be deleted without a copy.

import { erasedIn } from "../../core/ledger/change_log.ts";
import { placeOf, type Tree } from "./merge_trees.ts";
import { LOG } from "./portable.ts";
import type { Repository } from "./repository.ts";

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
