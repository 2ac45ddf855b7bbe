import type { Embedder } from "../embed/mod.ts";
import { type EmbedOptions, embedPending } from "./embed_pending.ts";
import type { Index } from "./memory_index.ts";

/** For more memories and entries than these it is worth loading the model again, in processes of its own. */
const FEW = 50;

interface EmbedAllOptions extends Omit<EmbedOptions, "atOnce" | "atMost"> {
  /** Whether somebody waits for all of it. */
  readonly isUrgent: boolean;
}

/** Makes the vectors that are missing, of memories and then of history; returns for how many. */
export async function embedAll(
  index: Index,
  embedder: Embedder,
  { isUrgent, ...options }: EmbedAllOptions,
): Promise<number> {
  const isMany = (await index.pending(FEW + 1)).length > FEW;
  const bulk = isMany
    ? await embedder.inBulk?.({ isUrgent, signal: options.signal }).catch(() => undefined)
    : undefined;
  const { embedder: model, atOnce } = bulk ?? { embedder, atOnce: 1 };
  try {
    return await embedPending(index, model, { ...options, atOnce });
  } finally {
    await bulk?.embedder.close();
  }
}
