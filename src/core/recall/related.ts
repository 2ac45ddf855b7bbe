import type { IndexedMemory } from "../index/corpus.ts";
import type { Index } from "../index/mod.ts";
import type { MemoryFolder } from "../memory/memory.ts";

export interface NeighbourContext {
  readonly index: Index;
  readonly folders: readonly MemoryFolder[];
  /** Maximum number of neighbours. */
  readonly limit?: number;
}

const NEIGHBOURS = 5;
/** Only the first passages of a long memory are compared. */
const PASSAGES = 16;

/** A memory with its similarity to another one. */
export interface Near {
  readonly memory: IndexedMemory;
  readonly cosine: number;
}

/** The memories with the passages most similar to those of the memory at a path, nearest first. */
export async function nearestTo(
  path: string,
  { index, folders, limit = NEIGHBOURS }: NeighbourContext,
): Promise<Near[]> {
  const [indexed] = await index.byPath([path]);
  if (indexed === undefined) return [];
  const corpus = await index.corpus(folders);
  const best = new Map<number, number>();
  for (const vector of [...(await index.queue.vectorsOf(indexed.id)).values()].slice(0, PASSAGES)) {
    for (const { memory, cosine } of await corpus.nearest(vector, { limit: limit + 1 })) {
      if (memory !== indexed.id) best.set(memory, Math.max(cosine, best.get(memory) ?? -1));
    }
  }
  const ranked = [...best].sort((a, b) => b[1] - a[1]).slice(0, limit);
  const memories = await corpus.memories(ranked.map(([id]) => id));
  return memories.map((memory) => ({ memory, cosine: best.get(memory.id)! }));
}
