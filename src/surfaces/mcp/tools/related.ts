import * as z from "zod";
import { MemoError } from "../../../errors.ts";
import type { IndexedMemory } from "../../../core/index/corpus.ts";
import { isSuspectMemory } from "../../../core/memory/provenance.ts";
import { linkedWith } from "../search_here.ts";
import { folded } from "../../../core/text/nearest.ts";
import { listing } from "../present.ts";
import { limit, name, tag } from "../schemas.ts";
import { defineTool, type ToolContext } from "../tool.ts";

/** Memories to look through for a tag. */
const MOST = 10_000;

/** `memory_related`: what is near a memory, or has a tag. */
export const related = defineTool({
  name: "memory_related",
  title: "Related memories",
  description:
    "Lists the memories that one memory links to or is linked from (`[[name]]`) and those most similar to it, or all with a tag, to explore a topic in depth after a search.",
  input: z.object({
    name: name.optional(),
    tag: tag.min(1).optional().describe("A tag, in place of a name"),
    limit: limit(10),
  }),
  writes: false,
  async run({ name, tag, limit }, context) {
    if ((name === undefined) === (tag === undefined)) {
      throw new MemoError("usage", "Cannot list related memories: give either a name or a tag", {
        hint: "Call memory_search to find the name of a memory",
      });
    }
    const near = name === undefined
      ? await tagged(tag!, context)
      : await relatedTo(name, limit, context);
    const memories = near.slice(0, limit).map(({ memory }) => ({ memory, passage: memory.body }));
    return listing(memories, { nothing: "No memory is related.", now: context.now });
  },
});

/** A memory that is near another one, or joined with it. */
export interface Related {
  readonly memory: IndexedMemory;
  readonly similarity?: number;
  readonly linked?: true;
}

/** The memories that a link joins with one, then those most similar to it, nearest first. */
export async function relatedTo(
  name: string,
  limit: number,
  context: ToolContext,
): Promise<Related[]> {
  const { folders, withIndex } = context;
  const [{ findNamed }, { readMemories }] = await Promise.all([
    import("../find_named.ts"),
    import("../../../core/memory/list.ts"),
  ]);
  const { memory } = findNamed(name, context);
  const linked = linkedWith(memory, folders.flatMap((folder) => readMemories(folder).memories))
    .slice(0, limit).map(({ path }) => path);
  const { nearestTo } = await import("../../../core/recall/search.ts");
  return await withIndex(async (index) => {
    const near = await nearestTo(memory.path, { index, folders, limit: limit + linked.length });
    const cosines = new Map(near.map(({ memory, cosine }) => [memory.path, cosine]));
    const all = [
      ...await index.byPath(linked),
      ...near.map(({ memory }) => memory).filter(({ path }) => !linked.includes(path)),
    ];
    return all.filter((memory) => !isSuspectMemory(memory)).map((memory): Related => {
      const cosine = cosines.get(memory.path);
      return {
        memory,
        ...cosine !== undefined && { similarity: Math.round(cosine * 1000) / 1000 },
        ...linked.includes(memory.path) && { linked: true },
      };
    });
  });
}

/** The memories with a tag, newest first. */
async function tagged(tag: string, { folders, withIndex }: ToolContext): Promise<Related[]> {
  return await withIndex(async (index) => {
    const memories = await (await index.corpus(folders)).newest(MOST);
    return memories.filter((memory) =>
      !isSuspectMemory(memory) && memory.tags.some((each) => folded(each) === folded(tag))
    ).map((memory) => ({ memory }));
  });
}
