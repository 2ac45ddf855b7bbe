// Vectors for stores that would take minutes to embed: a text's is the sum of its words' vectors, and those are the
// model's own. Such vectors lie as close together and as far apart as real ones do, near enough to measure speed.

import type { Embedder } from "../src/embed/embedder.ts";
import { passageTexts } from "../src/index/embed_pending.ts";
import type { Index } from "../src/index/memory_index.ts";

const WORD = /\p{L}[\p{L}\p{M}]*/gu;
/** Memories taken from the index at a time. */
const BATCH = 500;

/** An embedder that embeds single words, each once, and adds them up. */
export function bagOfWords(embedder: Embedder): Embedder {
  const known = new Map<string, Promise<Float32Array>>();
  const vectorOf = (word: string) => {
    if (!known.has(word)) known.set(word, embedder.embed(word));
    return known.get(word)!;
  };
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    maxTokens: embedder.maxTokens,
    // Nearly a token a word; counting them properly would take as long as embedding.
    countTokens: (text) => text.match(WORD)?.length ?? 0,
    async embed(text) {
      const sum = new Float32Array(embedder.dimensions);
      for (const word of text.toLowerCase().match(WORD) ?? []) {
        const vector = await vectorOf(word);
        for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
      }
      return unit(sum);
    },
    close: () => Promise.resolve(),
  };
}

export interface MakeUpOptions {
  /** Memories that are embedded for real, since prompts will ask for them. */
  readonly isAskedFor: (path: string) => boolean;
  readonly onProgress?: (done: number) => void;
}

/** Gives every memory of the index that waits for its vectors made-up ones, and those that matter their own. */
export async function makeUpVectors(
  index: Index,
  embedder: Embedder,
  { isAskedFor, onProgress }: MakeUpOptions,
): Promise<void> {
  const words = bagOfWords(embedder);
  await index.useModel(embedder.id, embedder.dimensions);
  for (let done = 0;;) {
    const batch = await index.pending(BATCH);
    if (batch.length === 0) return;
    for (const memory of batch) {
      const maker = isAskedFor(memory.path) ? embedder : words;
      const passages = [];
      for (const { start, end, text } of await passageTexts(memory, maker)) {
        passages.push({ start, end, hash: "", vector: await maker.embed(text) });
      }
      await index.putPassages(memory, passages);
      onProgress?.(++done);
    }
  }
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
