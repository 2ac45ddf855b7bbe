import { sep } from "node:path";
import type { ChangedFolder } from "../../core/change/follow.ts";
import { statsOf } from "../../core/files/stats.ts";
import type { IndexedMemory } from "../../core/index/corpus.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import type { WritingContext } from "./tool.ts";
import { isSelected, type Selection } from "../../core/memory/selection.ts";
import { search } from "../../core/recall/search.ts";

/** `memo search`, as the daemon is asked for it. */
export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  readonly strategy?: string | undefined;
  readonly selection?: Selection | undefined;
  /** Those too that do not fit the query. */
  readonly all: boolean;
}

/** What was found; failures say why another strategy ranked than the one in the settings. */
export type SearchAnswer = Awaited<ReturnType<typeof answerSearch>>;

/** Searches the memories of a place. */
export async function answerSearch(
  { query, limit, strategy, selection, all }: SearchRequest,
  { withIndex, folders, config, now, embed, ask, surroundings }: WritingContext,
) {
  const find = () =>
    withIndex((index) =>
      search(query, {
        limit,
        only: strategy,
        keep: selection === undefined ? undefined : (memory) => isSelected(memory, selection),
      }, { index, folders, config, now: now(), embed, ask })
    );
  const found = await find();
  const changed = changedOf(found.hits.map(({ memory }) => memory), folders);
  if (changed.length > 0) await surroundings.sync(changed);
  const { hits, failures } = changed.length > 0 ? await find() : found;
  const shown = hits.filter(({ fits }) => all || fits);
  return {
    hits: shown.map(({ memory: { name, type, scope, path }, ...hit }) => {
      const { score, belowThreshold, strategy, passage, overtakenBy } = hit;
      return {
        ...{ name, type, scope, path, score, belowThreshold, strategy, passage },
        ...overtakenBy && { overtakenBy: overtakenBy.name },
      };
    }),
    failures,
  };
}

/** The files of memories that are not as the index has them: a large folder is compared with it at times only. */
function changedOf(
  memories: readonly IndexedMemory[],
  folders: readonly MemoryFolder[],
): ChangedFolder[] {
  const paths = memories.filter(({ path, mtimeMs, size }) => {
    const stats = statsOf(path);
    return stats?.mtimeMs !== mtimeMs || stats.size !== size;
  }).map(({ path }) => path);
  return folders.map((folder) => ({
    folder,
    paths: paths.filter((path) => path.startsWith(folder.path + sep)),
  })).filter(({ paths }) => paths.length > 0);
}
