// Vectors for stores that would take many minutes to embed: real ones of a part of the texts, used again for the others
// with noise that is real too, the difference of two of them. They lie as close together and as far apart as real ones,
// which is what the time of a search depends on.

import type { Embedder } from "../src/core/embed/mod.ts";
import { type Index, type Passage, passageTexts } from "../src/core/index/mod.ts";
import type { IndexedMemory } from "../src/core/index/corpus.ts";
import { seededRandom } from "./random.ts";

const WORD = /\p{L}[\p{L}\p{M}]*/gu;
/** Memories taken from the index and written at a time. */
const BATCH = 200;
/** Texts that are embedded to be used again. */
const SAMPLES = 400;
/** How much of the difference of two others is added to one: the sum has a cosine of about .9 to it. */
const NOISE = 0.3;

/** Makes vectors up, from those of some texts. */
export class MadeUpVectors {
  readonly #samples: readonly Float32Array[];
  readonly #random = seededRandom(11);

  constructor(samples: readonly Float32Array[]) {
    this.#samples = samples;
  }

  /** Embeds texts to make others from. */
  static async from(texts: readonly string[], embedder: Embedder): Promise<MadeUpVectors> {
    const samples: Float32Array[] = [];
    for (const text of texts) samples.push(await embedder.embed(text));
    return new MadeUpVectors(samples);
  }

  next(): Float32Array {
    const vector = this.#sample();
    const a = this.#sample();
    const b = this.#sample();
    return unit(vector.map((value, i) => value + NOISE * (a[i]! - b[i]!)));
  }

  #sample(): Float32Array {
    return this.#samples[Math.floor(this.#random() * this.#samples.length)]!;
  }
}

export interface MakeUpOptions {
  /** Memories that are embedded for real, since prompts will ask for them. */
  readonly isAskedFor: (path: string) => boolean;
  readonly onProgress?: (done: number) => void;
  /** Awaited between batches. */
  readonly pause?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Gives every memory of the index that waits for its vectors made-up ones, and those that matter their own. */
export async function makeUpVectors(
  index: Index,
  embedder: Embedder,
  { isAskedFor, onProgress, pause, signal }: MakeUpOptions,
): Promise<void> {
  await index.useModel(embedder.id, embedder.dimensions);
  const first = await textsOf(await index.queue.pending(SAMPLES), embedder);
  const madeUp = await MadeUpVectors.from(first.slice(0, SAMPLES), embedder);
  for (let done = 0;;) {
    const batch = await index.queue.pending(BATCH);
    if (batch.length === 0 || signal?.aborted) return;
    const all: { seen: IndexedMemory; passages: Passage[] }[] = [];
    for (const seen of batch) {
      const isReal = isAskedFor(seen.path);
      const passages: Passage[] = [];
      for (const { start, end, text } of await passageTexts(seen, isReal ? embedder : byWords)) {
        const vector = isReal ? await embedder.embed(text) : madeUp.next();
        passages.push({ start, end, hash: "", vector });
      }
      all.push({ seen, passages });
    }
    await index.queue.put(all);
    onProgress?.(done += batch.length);
    await pause?.();
  }
}

/** Nearly a token a word; counting them properly would take as long as all else. */
const byWords = { countTokens: (text: string) => text.match(WORD)?.length ?? 0 };

async function textsOf(memories: readonly IndexedMemory[], embedder: Embedder): Promise<string[]> {
  const texts = await Promise.all(memories.map((memory) => passageTexts(memory, embedder)));
  return texts.flat().map(({ text }) => text);
}

function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}
