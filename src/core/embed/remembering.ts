import type { Embedder } from "./embedder.ts";

/** Vectors of queries that are kept: 1.5 KB each, and their texts. */
const KEPT = 64;

/**
 * An embedder that embeds a query once, however often it is asked: a prompt's vector is begun before anything else is
 * known of the prompt, and some prompts come again. Passages are not kept.
 */
export function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Promise<Float32Array>>();
  return {
    ...embedder,
    embed(text, role) {
      if (role !== "query") return embedder.embed(text, role);
      const vector = known.get(text) ?? embedder.embed(text, role);
      known.delete(text);
      known.set(text, vector); // the latest is the last
      if (known.size > KEPT) known.delete(known.keys().next().value!);
      vector.catch(() => known.get(text) === vector && known.delete(text));
      return vector;
    },
  };
}
