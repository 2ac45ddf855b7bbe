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

/** What was found. */
export interface SearchAnswer {
  readonly hits: readonly {
    readonly name: string;
    readonly type: string;
    readonly scope: string;
    readonly path: string;
    readonly score: number;
    /** Whether recall would drop it: its score is below the threshold of its type. */
    readonly belowThreshold: boolean;
    readonly strategy: string;
    /** The best matching part of the body. */
    readonly passage: string;
  }[];
  /** Why another strategy ranked than the one in the settings. */
  readonly failures: readonly string[];
}

/** Searches the memories of a place. */
export async function answerSearch(
  { query, limit, strategy, selection, all }: SearchRequest,
  { withIndex, folders, config, now, embed, ask }: ToolContext,
): Promise<SearchAnswer> {
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
      const { score, belowThreshold, strategy, passage } = hit;
      return { name, type, scope, path, score, belowThreshold, strategy, passage };
    }),
    failures,
  };
}
