import * as z from "zod";
import { MemoError } from "../../errors.ts";
import type { IndexedMemory } from "../../index/corpus.ts";
import { isSuspectMemory } from "../../memory/provenance.ts";
import { linkedWith } from "../../memory/links.ts";
import { nearestTo } from "../../recall/related.ts";
import { listing, NOTE, shown } from "../present.ts";
import { found, limit, name, note, tag } from "../schemas.ts";
import { fold } from "../search_here.ts";
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
  output: z.object({
    note,
    memories: z.array(
      found.extend({
        similarity: z.number().optional().describe("Cosine, −1 to 1"),
        linked: z.boolean().optional().describe("Whether one of the two links to the other"),
      }),
    ),
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
    const memories = near.slice(0, limit).map(({ memory, ...how }) => ({
      ...shown(memory, memory.body, context),
      ...how,
    }));
    return { data: { note: NOTE, memories }, text: listing(memories, "No memory is related.") };
  },
});

interface Related {
  readonly memory: IndexedMemory;
  readonly similarity?: number;
  readonly linked?: true;
}

/** The memories that a link joins with one, then those most similar to it, nearest first. */
async function relatedTo(name: string, limit: number, context: ToolContext): Promise<Related[]> {
  const { folders, withIndex } = context;
  const [{ findNamed }, { readMemories }] = await Promise.all([
    import("../address.ts"),
    import("../../memory/list.ts"),
  ]);
  const { memory } = findNamed(name, context);
  const linked = linkedWith(memory, folders.flatMap((folder) => readMemories(folder).memories))
    .slice(0, limit).map(({ path }) => path);
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
      !isSuspectMemory(memory) && memory.tags.some((each) => fold(each) === fold(tag))
    ).map((memory) => ({ memory }));
  });
}
