// A strategy in a file of the user's, run in a thread of its own: one that hangs, throws or ends its thread has failed,
// and its fallback ranks. What it asks of the query and the corpus goes back and forth as messages (`own_worker.ts`).

import { Worker } from "node:worker_threads";
import { messageOf } from "../../errors.ts";
import type { Corpus, TypeFilter } from "../index/corpus.ts";
import type { Query } from "../index/query.ts";
import { within } from "../link/within.ts";
import type { Config } from "../settings/config.ts";
import { allowedText, type OwnFile, ownFile } from "../settings/config_file.ts";
import type { Hit, RankOptions, Strategy } from "../../../strategies/strategy.ts";

/** The version of the interface that such files are written for. */
export const OWN_API = 1;

/** What a file can ask of its corpus. */
export const ASKED = [
  ...["size", "model", "statistics", "likely", "words", "having", "named", "nearest"] as const,
  ...["vectorOf", "newest", "refusals", "siblings", "memories"] as const,
] satisfies readonly (keyof Corpus)[];

/** What the thread begins with. */
export interface OwnSource {
  readonly name: string;
  readonly text: string;
}

/** What it is told: a query to rank for, or the answer to what it has asked. */
export type Told =
  | {
    readonly id: number;
    readonly text: string;
    readonly request: string;
    readonly options: Pick<RankOptions, "limit" | "now" | "exclude">;
  }
  | { readonly answered: number; readonly value?: unknown; readonly failed?: string };

/** What it says: the hits of a query, or a question; the first thing, of `0`, is that it is ready, or why not. */
export type Said =
  | { readonly id: number; readonly hits?: unknown; readonly failed?: string }
  | {
    readonly id: number;
    readonly asks: number;
    readonly method: typeof ASKED[number] | "vector";
    readonly filters: readonly TypeFilter[];
    readonly args: readonly unknown[];
  };

/** The share of retrieval's deadline that such a file has: its fallback needs the rest. */
const SHARE = 0.5;
/** One that has not loaded within this never will. */
const LOAD_MS = 30_000;
/** One that has hung is left alone for this long. */
const REST_MS = 60_000;

const strategies = new Map<string, Strategy>();
const threads = new Map<string, Thread>();

/** The strategy in the file that a setting's value names; undefined if it names none. */
export function ownStrategy(value: string, config: Config): Strategy | undefined {
  const file = ownFile(value);
  if (file === undefined) return undefined;
  const limitMs = config["recall.deadline_ms"] * SHARE, { folder } = config;
  const key = [folder, value, limitMs].join("\n");
  const strategy = strategies.get(key) ?? {
    name: file.name,
    summary: "A file of yours",
    cost: "local",
    status: "preview",
    needsMs: limitMs,
    fallback: "hybrid",
    rank: async (query, corpus, options) => {
      const hits = hitsIn(await threadOf(folder, file).rank(query, corpus, { options, limitMs }));
      const known = await corpus.memories(hits.map(({ memory }) => memory));
      return known.map(({ id }) => hits.find(({ memory }) => memory === id)!)
        .sort((a, b) => b.score - a.score).slice(0, options.limit);
    },
  };
  strategies.set(key, strategy);
  return strategy;
}

/** Ends the threads of all such files. */
export function endOwnStrategies(): void {
  for (const thread of threads.values()) thread.end("it was ended");
  threads.clear();
}

/** The thread that runs a file's allowed content. */
function threadOf(folder: string, file: OwnFile): Thread {
  const text = allowedText(folder, file);
  const key = `${folder}\n${file.name}`;
  let thread = threads.get(key);
  if (thread === undefined || thread.text !== text || thread.mayBeReplaced) {
    thread?.end("it was replaced");
    thread = new Thread({ name: file.name, text });
    threads.set(key, thread);
  }
  return thread;
}

/** What `rank` has returned, checked: the file may return anything. */
function hitsIn(ranked: unknown): Hit[] {
  if (!Array.isArray(ranked)) throw new Error("its `rank` returned no list");
  const hits = new Map<number, Hit>();
  for (const { memory, score, passage } of ranked) {
    if (!Number.isInteger(memory) || !(score >= 0 && score <= 1)) {
      throw new Error("its `rank` returned a hit without a `memory` or a `score` from 0 to 1");
    }
    const isPassage = Number.isInteger(passage?.start) && Number.isInteger(passage?.end);
    if (!hits.has(memory)) hits.set(memory, { memory, score, ...isPassage && { passage } });
  }
  return [...hits.values()];
}

interface Order {
  readonly query: Query;
  readonly corpus: Corpus;
  readonly done: PromiseWithResolvers<unknown>;
}

/** A file's content in a thread. */
class Thread {
  readonly text: string;
  readonly #worker: Worker;
  readonly #orders = new Map<number, Order>();
  readonly #ready = Promise.withResolvers<unknown>();
  readonly #slow = setTimeout(() => this.end("it does not load", REST_MS), LOAD_MS);
  #count = 0;
  #isReady = false;
  #failure: { readonly why: string; readonly until: number } | undefined;

  constructor(source: OwnSource) {
    this.text = source.text;
    this.#slow.unref();
    this.#ready.promise.catch(() => {}); // whoever ranks is told
    this.#worker = new Worker(new URL("./own_worker.ts", import.meta.url), { workerData: source });
    this.#worker.on("message", (said: Said) => void this.#hear(said));
    this.#worker.on("error", (error: Error) => this.end(error.message));
    this.#worker.on("exit", (code: number) => this.end(`its thread ended with ${code}`));
    this.#worker.unref();
  }

  /** Whether it has failed, and another thread may try. */
  get mayBeReplaced(): boolean {
    return this.#failure !== undefined && performance.now() >= this.#failure.until;
  }

  /** What the file's `rank` returns. */
  async rank(query: Query, corpus: Corpus, { options, limitMs }: {
    readonly options: RankOptions;
    readonly limitMs: number;
  }): Promise<unknown> {
    if (this.#failure !== undefined) throw new Error(this.#failure.why);
    const { limit, now, exclude } = options, { text, request } = query;
    const wasReady = this.#isReady; // if not, loading has taken a part of the time
    const id = ++this.#count, done = Promise.withResolvers<unknown>();
    done.promise.catch(() => {});
    this.#worker.ref(); // Bun's main thread spins while it waits for what holds no process
    try {
      this.#orders.set(id, { query, corpus, done });
      const ranked = this.#ready.promise.then(() => {
        if (!this.#orders.has(id)) return; // nobody waits any more
        this.#tell({ id, text, request, options: { limit, now, exclude } });
        return done.promise.then((hits) => ({ hits }));
      });
      ranked.catch(() => {}); // it may fail when nobody waits any more
      const answer = await within(limitMs, ranked);
      if (answer !== undefined) return answer.hits;
      if (!wasReady) throw new Error("it is still being loaded");
      this.end(`it took longer than ${limitMs} ms`, REST_MS);
      throw new Error(this.#failure!.why);
    } finally {
      this.#orders.delete(id);
      if (this.#orders.size === 0) this.#worker.unref();
    }
  }

  /** Ends it; nothing takes its place for a while. */
  end(why: string, restMs = 0): void {
    clearTimeout(this.#slow);
    this.#failure ??= { why, until: performance.now() + restMs };
    this.#ready.reject(new Error(why));
    for (const { done } of this.#orders.values()) done.reject(new Error(why));
    void this.#worker.terminate();
  }

  #tell(told: Told): void {
    this.#worker.postMessage(told);
  }

  async #hear(said: Said): Promise<void> {
    if ("asks" in said) return await this.#answer(said);
    const { id, hits, failed } = said;
    if (id === 0 && failed === undefined) {
      clearTimeout(this.#slow);
      this.#isReady = true;
      this.#ready.resolve(undefined);
    } else if (id === 0) this.end(failed!, REST_MS);
    else if (failed === undefined) this.#orders.get(id)?.done.resolve(hits);
    else this.#orders.get(id)?.done.reject(new Error(failed));
  }

  async #answer({ id, asks, method, filters, args }: Extract<Said, { asks: number }>) {
    const order = this.#orders.get(id);
    if (order === undefined) return; // nobody waits any more
    try {
      const corpus = filters.reduce((corpus, filter) => corpus.of(filter), order.corpus);
      const value: unknown = method === "vector"
        ? await order.query.vector()
        : await (corpus[method] as (...args: readonly unknown[]) => unknown)(...args);
      // A view of a block of vectors would take the whole block with it.
      this.#tell({ answered: asks, value: value instanceof Float32Array ? value.slice() : value });
    } catch (error) {
      this.#tell({ answered: asks, failed: messageOf(error) });
    }
  }
}
