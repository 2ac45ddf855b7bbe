import { MemoError } from "../errors.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import { findMemory } from "../memory/find.ts";
import { isSuspectMemory } from "../memory/provenance.ts";
import { nearestTo } from "../recall/related.ts";
import { pathOf } from "./address.ts";
import { listing, NOTE, shown } from "./present.ts";
import { fold } from "./search.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** Memories to look through for a tag. */
const MOST = 10_000;

/** `memory_related`: what is near a memory, or has a tag. */
export async function run(
  { name, tag, limit }: InputOf<"memory_related">,
  context: ToolContext,
): Promise<ToolResult<OutputOf<"memory_related">>> {
  if ((name === undefined) === (tag === undefined)) {
    throw new MemoError("usage", "Cannot list related memories: give either a name or a tag", {
      hint: "Call memory_search to find the name of a memory",
    });
  }
  const related = name === undefined
    ? await tagged(tag!, context)
    : await relatedTo(name, limit, context);
  const memories = related.slice(0, limit).map(({ memory, similarity }) => ({
    ...shown(memory, memory.body, context),
    ...similarity === undefined ? {} : { similarity },
  }));
  return { data: { note: NOTE, memories }, text: listing(memories, "No memory is related.") };
}

interface Related {
  readonly memory: IndexedMemory;
  readonly similarity?: number;
}

/** The memories most similar to one, nearest first. */
async function relatedTo(name: string, limit: number, context: ToolContext): Promise<Related[]> {
  const { folders, place, withIndex } = context;
  const { memory } = findMemory(pathOf(name, folders), folders, { cwd: place.cwd });
  const near = await withIndex((index) => nearestTo(memory.path, { index, folders, limit }));
  return near.filter(({ memory }) => !isSuspectMemory(memory)).map(({ memory, cosine }) => ({
    memory,
    similarity: Math.round(cosine * 1000) / 1000,
  }));
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
