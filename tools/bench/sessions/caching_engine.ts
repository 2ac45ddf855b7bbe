import { Engine, type EngineOptions } from "../../../src/engine/engine.ts";
import { cached, type CachedEmbedder } from "../../../bench/vector_cache.ts";

/** An engine that takes the vectors of passages which an earlier run has embedded from a folder. */
export class CachingEngine extends Engine {
  readonly #folder: string;
  #cached: Promise<CachedEmbedder> | undefined;

  constructor(options: EngineOptions, folder: string) {
    super(options);
    this.#folder = folder;
  }

  override async embedder(): Promise<CachedEmbedder> {
    this.#cached ??= super.embedder().then((embedder) => cached(embedder, this.#folder));
    return await this.#cached;
  }

  override async close(): Promise<void> {
    await this.#cached?.then((embedder) => embedder.flush(), () => {});
    await super.close();
  }
}
