import type { Embedder } from "../embed/embedder.ts";
import { type EmbedOptions, embedPending } from "./embed_pending.ts";
import type { Index } from "./memory_index.ts";

/** For more memories and entries than these it is worth loading the model again, in processes of its own. */
const FEW = 50;
/** A memory that is saved meanwhile waits for so many entries of history, never for all of them. */
const ENTRIES = 20;

interface EmbedAllOptions extends Omit<EmbedOptions, "atOnce" | "atMost"> {
  /** Whether somebody waits for all of it. */
  readonly isUrgent: boolean;
}

/** Makes the vectors that are missing, of memories and of history. */
export async function embedAll(
  index: Index,
  embedder: Embedder,
  { isUrgent, onProgress, ...options }: EmbedAllOptions,
): Promise<{ readonly memories: number; readonly history: number }> {
  const waiting = [...await index.pending(FEW + 1), ...await index.history.pending(FEW + 1)];
  const bulk = waiting.length > FEW
    ? await embedder.inBulk?.({ isUrgent, signal: options.signal }).catch(() => undefined)
    : undefined;
  const { embedder: model, atOnce } = bulk ?? { embedder, atOnce: 1 };
  let memories = 0, history = 0;
  const tell = (done: number) => onProgress?.(memories + history + done);
  const embed = (texts: Index | Index["history"], atMost?: number) =>
    embedPending(texts, model, { ...options, atOnce, atMost, onProgress: tell });
  try {
    for (let isDone = false; !isDone;) {
      memories += await embed(index);
      const entries = await embed(index.history, ENTRIES);
      history += entries;
      isDone = entries < ENTRIES;
    }
  } finally {
    await bulk?.embedder.close();
  }
  return { memories, history };
}
