import type { ToolContext } from "./tool.ts";
import { isSelected, type Selection } from "../memory/selection.ts";
import { search } from "../recall/search.ts";

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
  { withIndex, folders, config, now, embed, ask }: ToolContext,
) {
  const { hits, failures } = await withIndex((index) =>
    search(query, {
      limit,
      only: strategy,
      keep: selection === undefined ? undefined : (memory) => isSelected(memory, selection),
    }, { index, folders, config, now: now(), embed, ask })
  );
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
