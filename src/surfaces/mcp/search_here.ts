import { isSuspectMemory } from "../../core/memory/provenance.ts";
import { folded } from "../../core/text/nearest.ts";
import type { ToolContext } from "./tool.ts";

interface Selection {
  readonly limit: number;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
}

/** Searches what applies at the place, by this machine alone, without what the user has still to review. */
export async function searchHere(
  query: string,
  { limit, type, tag }: Selection,
  { withIndex, folders, config, now, embed }: ToolContext,
) {
  const { search } = await import("../../core/recall/search.ts"); // with the index's library
  return await withIndex((index) =>
    search(query, {
      limit,
      only: "hybrid",
      keep: (memory) =>
        !isSuspectMemory(memory) && (type === undefined || memory.type === type) &&
        (tag === undefined || memory.tags.some((each) => folded(each) === folded(tag))),
    }, { index, folders, config, now: now(), embed })
  );
}
