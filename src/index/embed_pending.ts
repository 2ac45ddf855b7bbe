import { createHash } from "node:crypto";
import type { Embedder } from "../embed/embedder.ts";
import { chunk } from "./chunk.ts";
import type { IndexedMemory } from "./corpus.ts";
import type { Index, Passage } from "./memory_index.ts";

/** Passages are about as long as what the built-in model was trained on, and overlap by a quarter. */
const PASSAGE_TOKENS = 120;
const OVERLAP_TOKENS = 30;
/** Memories taken from the index at a time. */
const BATCH = 20;

export interface EmbedOptions {
  /** Stops after the memory at hand. */
  readonly signal?: AbortSignal;
  /** Called after each memory with how many are done. */
  readonly onProgress?: (done: number) => void;
  /** Awaited before each passage: prompts go first. */
  readonly turn?: () => Promise<void>;
}

/** Makes the vectors that are missing, and returns for how many memories. Unchanged passages keep theirs. */
export async function embedPending(
  index: Index,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<number> {
  let done = 0;
  while (!options.signal?.aborted) {
    const batch = await index.pending(BATCH);
    if (batch.length === 0) break;
    for (const memory of batch) {
      if (options.signal?.aborted) break;
      await index.putPassages(memory, await embedMemory(memory, { index, embedder, options }));
      options.onProgress?.(++done);
    }
  }
  return done;
}

async function embedMemory(
  memory: IndexedMemory,
  { index, embedder, options }: { index: Index; embedder: Embedder; options: EmbedOptions },
): Promise<Passage[]> {
  const kept = await index.vectorsOf(memory.id);
  const passages: Passage[] = [];
  for (const { start, end, text } of passageTexts(memory, embedder)) {
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
    let vector = kept.get(hash);
    if (vector === undefined) {
      await options.turn?.();
      vector = await embedder.embed(text);
    }
    passages.push({ start, end, hash, vector });
  }
  return passages;
}

/**
 * What of a memory is embedded: the passages of its body, each under the memory's name, without which many would say
 * nothing; and description and triggers under the name as one text, which is no stretch of the body. A name alone
 * would add nothing to the passages, and is near to much that it has nothing to do with.
 */
export function passageTexts(
  memory: Pick<IndexedMemory, "name" | "description" | "triggers" | "body">,
  embedder: Pick<Embedder, "countTokens">,
): { start: number; end: number; text: string }[] {
  const about = [memory.description, ...memory.triggers].filter((line) => line !== "");
  const spans = chunk(memory.body, {
    tokens: PASSAGE_TOKENS,
    overlap: OVERLAP_TOKENS,
    count: (text) => embedder.countTokens(text),
  });
  const passages = spans.map(({ start, end }) => ({
    start,
    end,
    text: `${memory.name}\n${memory.body.slice(start, end)}`,
  }));
  if (about.length === 0 && passages.length > 0) return passages;
  return [{ start: 0, end: 0, text: [memory.name, ...about].join("\n") }, ...passages];
}
