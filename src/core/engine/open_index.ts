import { existsSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import type { Log } from "../files/log.ts";
import { Index, isDamage, setAside } from "../index/mod.ts";

/** The index of a database, opened when it is first needed, and made anew where it was deleted or is damaged. */
export class OpenIndex {
  readonly #path: string;
  readonly #log: Log;
  readonly #onDrop: () => void;
  #index: Promise<Index> | undefined;
  /** The same, once it is open. */
  #opened: Index | undefined;

  /** `onDrop` receives that nothing is known any more of what it held. */
  constructor(path: string, { log, onDrop }: { readonly log: Log; readonly onDrop: () => void }) {
    this.#path = path;
    this.#log = log;
    this.#onDrop = onDrop;
  }

  /** The memory that its vectors take. */
  get vectorBytes(): number {
    return this.#opened?.vectorBytes ?? 0;
  }

  /** Opens it, or recreates it if it was deleted. */
  async get(): Promise<Index> {
    if (this.#index !== undefined && !existsSync(this.#path)) {
      this.#log("index", { found: "deleted; rebuilding it" });
      await this.drop();
    }
    this.#index ??= this.#open();
    try {
      return this.#opened = await this.#index;
    } catch (error) {
      this.#index = undefined;
      throw error;
    }
  }

  /** Runs work on it; a damaged one is set aside and filled again, and the work retried once. */
  async mending<T>(work: (index: Index) => Promise<T>, refill?: () => Promise<void>): Promise<T> {
    const opened = this.#index;
    try {
      return await work(await this.get());
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#log("index", { found: `damaged (${messageOf(error)}); rebuilding it` });
      if (this.#index === opened || opened === undefined) {
        const path = (await opened?.catch(() => undefined))?.path ?? this.#path;
        await this.drop();
        setAside(path);
      }
      const index = await this.get();
      await refill?.();
      return await work(index);
    }
  }

  /** Closes it. */
  async drop(): Promise<void> {
    const index = this.#index;
    this.#index = this.#opened = undefined;
    this.#onDrop();
    await index?.then((open) => open.close(), () => {});
  }

  async #open(): Promise<Index> {
    const index = await Index.open(this.#path);
    if (index.isUpgraded) {
      this.#log("index", { found: "from an older memo; reading the memory files again" });
    }
    return index;
  }
}
