// One model for vectors, another for the words of two texts that are compared: the judge of relations has learned from the
// built-in model's states, and no other model has them.

import type { Embedder } from "./embedder.ts";

/** How long the second model stays loaded after the last text. */
const IDLE_MS = 60_000;

/** An embedder whose texts' words another model reads, loaded while there are texts to compare. */
export function readWordsWith(open: () => Promise<Embedder>, embedder: Embedder): Embedder {
  let reader: Promise<Embedder> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const release = async () => {
    clearTimeout(idle);
    const loaded = reader;
    reader = undefined;
    await loaded?.then((model) => model.close(), () => {});
  };
  const wordStates = async (text: string) => {
    clearTimeout(idle);
    reader ??= open();
    reader.catch(() => reader = undefined); // the next text tries again
    const states = await (await reader).wordStates!(text);
    clearTimeout(idle);
    idle = setTimeout(release, IDLE_MS).unref();
    return states;
  };
  const withReader = (model: Embedder): Embedder => ({ ...model, wordStates });
  const { inBulk } = embedder;
  return {
    ...withReader(embedder),
    ...inBulk && {
      async inBulk(options) {
        const bulk = await inBulk(options);
        return { ...bulk, embedder: withReader(bulk.embedder) };
      },
    },
    async close() {
      await release();
      await embedder.close();
    },
  };
}
