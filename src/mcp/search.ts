import { search } from "../recall/search.ts";
import { isSuspectMemory } from "../memory/provenance.ts";
import { listing, NOTE, shown } from "./present.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** `memory_search`: the best matches for a query. */
export async function run(
  { query, limit, type, tag }: InputOf<"memory_search">,
  context: ToolContext,
): Promise<ToolResult<OutputOf<"memory_search">>> {
  const { hits } = await searchHere(query, { limit, type, tag }, context);
  const memories = hits.map(({ memory, passage, score }) => ({
    ...shown(memory, passage, context),
    score: Math.round(score * 1000) / 1000,
  }));
  return {
    data: { note: NOTE, memories },
    text: listing(memories, "No memory fits. Try other words, or memory_history."),
  };
}

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
  return await withIndex((index) =>
    search(query, {
      limit,
      only: "hybrid",
      keep: (memory) =>
        !isSuspectMemory(memory) && (type === undefined || memory.type === type) &&
        (tag === undefined || memory.tags.some((each) => fold(each) === fold(tag))),
    }, { index, folders, config, now: now(), embed })
  );
}

/** A tag for comparison. */
export function fold(tag: string): string {
  return tag.normalize("NFC").toLowerCase();
}
