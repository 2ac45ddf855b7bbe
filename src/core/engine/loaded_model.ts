import { MemoError, messageOf } from "../../errors.ts";
import type { Paths } from "../../paths.ts";
import { type Embedder, isEndpoint, openEmbedder, withQueryCache } from "../embed/mod.ts";
import type { Log } from "../files/log.ts";
import { probableQuery } from "../recall/recall.ts";
import { ownPatterns } from "../redact/mod.ts";
import type { Config } from "../settings/config.ts";
import { whyNotSent } from "../settings/purposes.ts";

/** How long to wait before retrying a model that failed to load. */
const RETRY_MS = 60_000;

interface ModelOptions {
  readonly paths: Paths;
  readonly log: Log;
  /** Whether it computes beside the thread that answers. */
  readonly isOffLoop: boolean;
  /** The settings as they are now. */
  config(): Config;
  /** Receives that another model than before may be there. */
  onLoad(): void;
}

/** The embedding model of the settings, loaded when it is first needed. */
export class LoadedModel {
  readonly #options: ModelOptions;
  #model: { readonly name: string; readonly embedder: Promise<Embedder> } | undefined;
  /** The same, once it is loaded. */
  #loaded: { readonly name: string; readonly embedder: Embedder } | undefined;
  #failure: { readonly name: string; readonly at: number; readonly error: unknown } | undefined;

  constructor(options: ModelOptions) {
    this.#options = options;
  }

  /** The model, loaded once. Rejects with a `model` MemoError if it cannot be loaded. */
  async embedder(): Promise<Embedder> {
    const name = this.#options.config().model;
    const failure = this.#failure;
    if (failure?.name === name && performance.now() - failure.at < RETRY_MS) throw failure.error;
    if (this.#model?.name !== name) {
      void this.close();
      this.#model = { name, embedder: this.#load(name) };
    }
    return await this.#model!.embedder;
  }

  /** Lets go of a model on this machine, which the next text loads again; nobody may be using it. */
  async drop(): Promise<void> {
    const loaded = this.#loaded;
    if (loaded === undefined || isEndpoint(loaded.name)) return;
    this.#model = this.#loaded = undefined;
    await loaded.embedder.close();
    this.#options.log("model", { dropped: loaded.embedder.id });
  }

  /** Begins the vector that a prompt will probably need, if the model computes it on this machine and is loaded. */
  prefetch(prompt: { readonly prompt: string; readonly source: string | undefined }): void {
    const config = this.#options.config();
    if (this.#loaded?.name !== config.model || isEndpoint(config.model)) return;
    const text = probableQuery(prompt, config);
    if (text !== undefined) this.#loaded.embedder.embed(text, "query").catch(() => {}); // asked for again
  }

  /** The vector of a prompt, and what keeps it waiting until it is there. */
  embed(text: string): { readonly vector: Promise<Float32Array>; readonly late: () => MemoError } {
    let what = "loading";
    const vector = this.embedder().then((embedder) => {
      what = "busy";
      return embedder.embed(text, "query");
    });
    const late = () =>
      new MemoError("model", `The embedding model is still ${what}`, {
        hint: "Run `memo daemon status` to see when it is ready",
      });
    return { vector, late };
  }

  async close(): Promise<void> {
    await this.#model?.embedder.then((embedder) => embedder.close(), () => {});
  }

  async #load(name: string): Promise<Embedder> {
    const { paths, log, isOffLoop, config, onLoad } = this.#options;
    const start = performance.now();
    try {
      const keyFile = config()["embed.key_file"];
      const patterns = () => ownPatterns(config()["redact.patterns"]);
      const refusal = () => whyNotSent("embedding", config());
      const options = { keyFile, patterns, refusal, isOffLoop };
      const embedder = withQueryCache(await openEmbedder(name, paths, options));
      this.#loaded = { name, embedder };
      log("model", { loaded: embedder.id, ms: Math.round(performance.now() - start) });
      onLoad();
      return embedder;
    } catch (error) {
      log("model", { name, failed: messageOf(error) });
      this.#model = undefined;
      this.#failure = { name, at: performance.now(), error };
      throw error;
    }
  }
}
