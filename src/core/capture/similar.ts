import { calibrationOf, type Embedder } from "../embed/mod.ts";
import type { Index } from "../index/memory_index.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { CUTOFFS } from "../relation/cutoffs.ts";

/** A memory's similarity to a text. */
export interface Similar {
  readonly path: string;
  /**
   * Cosine of the text with the memory's nearest passage, scaled so that two statements of one fact are above `CUTOFFS.retold`.
   */
  readonly cosine: number;
}

/** Maximum nearest memories to compare with. */
const NEAREST = 10;

/** The indexed memories of these folders nearest to a text. */
export async function similarMemories(
  text: string,
  folders: readonly MemoryFolder[],
  { index, embedder }: { readonly index: Index; readonly embedder: Embedder },
): Promise<Similar[]> {
  const { retold } = calibrationOf(embedder.id);
  const corpus = await index.corpus(folders);
  const hits = await corpus.nearest(await embedder.embed(text), { limit: NEAREST });
  const memories = await corpus.memories(hits.map(({ memory }) => memory));
  return hits.flatMap(({ memory, cosine }) => {
    const path = memories.find(({ id }) => id === memory)?.path;
    return path === undefined ? [] : [{ path, cosine: cosine * CUTOFFS.retold / retold }];
  });
}
