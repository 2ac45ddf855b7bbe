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
export type WorkerRequest =
  | {
    readonly id: number;
    readonly text: string;
    readonly request: string;
    readonly options: Pick<RankOptions, "limit" | "now" | "exclude">;
  }
  | { readonly answered: number; readonly value?: unknown; readonly failed?: string };

/** The first thing that it says is of this order: that it is ready, or why not. */
export const READY = 0;

/** What it says: the hits of a query, or a question. */
export type WorkerReply =
  | { readonly id: number; readonly hits?: unknown; readonly failed?: string }
  | WorkerQuestion;

/** Asks something about the query or the corpus of an order. */
export interface WorkerQuestion {
  readonly id: number;
  readonly asks: number;
  readonly method: typeof ASKED[number] | "vector";
  readonly filters: readonly TypeFilter[];
  readonly args: readonly unknown[];
}

/** The share of retrieval's deadline that such a file has: its fallback needs the rest. */
const SHARE = 0.5;
/** One that has not loaded within this never will. */
const LOAD_MS = 30_000;
/** One that has failed is left alone for this long. */
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
    summary: "Your own file",
    cost: "local",
    status: "preview",
    needsMs: limitMs,
    fallback: "hybrid",
    rank: async (query, corpus, options) => {
      const ranked = await threadOf(folder, file).rank({ query, corpus, options }, limitMs);
      const hits = Map.groupBy(hitsIn(ranked), ({ memory }) => memory);
      const known = await corpus.memories([...hits.keys()]);
      return known.map(({ id }) => hits.get(id)![0]!)
        .sort((a, b) => b.score - a.score).slice(0, options.limit);
    },
  };
  strategies.set(key, strategy);
  return strategy;
}

/** Ends the threads of all such files. */
export function endOwnStrategies(): void {
  for (const thread of threads.values()) thread.end("it was stopped");
  threads.clear();
}

/** The thread that runs a file's allowed content. */
function threadOf(folder: string, file: OwnFile): Thread {
  const text = allowedText(folder, file);
  const key = `${folder}\n${file.name}`;
  let thread = threads.get(key);
  if (thread === undefined || thread.text !== text || thread.mayBeReplaced) {
    thread?.end("it was replaced");
    threads.set(key, thread = new Thread({ name: file.name, text }));
  }
  return thread;
}

/** What `rank` has returned, checked: the file may return anything. */
function hitsIn(ranked: unknown): Hit[] {
  if (!Array.isArray(ranked)) throw new Error("its `rank` did not return a list");
  return ranked.map(({ memory, score, passage }) => {
    if (!Number.isInteger(memory) || !(score >= 0 && score <= 1)) {
      throw new Error("its `rank` returned a hit without a `memory` or a `score` from 0 to 1");
    }
    const isPassage = Number.isInteger(passage?.start) && Number.isInteger(passage?.end);
    return { memory, score, ...isPassage && { passage } };
  });
}

interface RankRequest {
  readonly query: Query;
  readonly corpus: Corpus;
  readonly options: RankOptions;
}

/** A file's content in a thread. */
class Thread {
  readonly text: string;
  readonly #worker: Worker;
  readonly #orders = new Map<
    number,
    RankRequest & { readonly done: PromiseWithResolvers<unknown> }
  >();
  readonly #loadedBy = performance.now() + LOAD_MS;
  #count = 0;
  #isReady = false;
  #failure: { readonly why: string; readonly until: number } | undefined;

  constructor(source: OwnSource) {
    this.text = source.text;
    this.#worker = new Worker(new URL("./own_worker.ts", import.meta.url), { workerData: source });
    this.#worker.on("message", (said: WorkerReply) => void this.#hear(said));
    this.#worker.on("error", (error: Error) => this.end(error.message));
    this.#worker.on("exit", (code: number) => this.end(`its thread ended with ${code}`));
    this.#worker.unref();
  }

  /** Whether it has failed, and another thread may try. */
  get mayBeReplaced(): boolean {
    return this.#failure !== undefined && performance.now() >= this.#failure.until;
  }

  /** What the file's `rank` returns. */
  async rank(order: RankRequest, limitMs: number): Promise<unknown> {
    if (this.#failure !== undefined) throw new Error(this.#failure.why);
    const id = ++this.#count, done = Promise.withResolvers<unknown>();
    const wasReady = this.#isReady; // if not, loading takes a part of the time
    this.#orders.set(id, { ...order, done });
    if (wasReady) this.#give(id, order);
    this.#worker.ref(); // Bun's main thread spins while it waits for what holds no process
    try {
      const answer = await within(limitMs, done.promise.then((hits) => ({ hits })));
      if (answer !== undefined) return answer.hits;
      const mayLoad = !wasReady && performance.now() < this.#loadedBy;
      if (mayLoad) throw new Error("it is still loading");
      this.end(wasReady ? `it took longer than ${limitMs} ms` : "it does not load");
      throw new Error(this.#failure!.why);
    } finally {
      this.#orders.delete(id);
      if (this.#orders.size === 0) this.#worker.unref();
    }
  }

  /** Ends it; nothing takes its place for a while. */
  end(why: string): void {
    this.#failure ??= { why, until: performance.now() + REST_MS };
    for (const { done } of this.#orders.values()) done.reject(new Error(why));
    void this.#worker.terminate();
  }

  #tell(told: WorkerRequest): void {
    this.#worker.postMessage(told);
  }

  #give(
    id: number,
    { query: { text, request }, options: { limit, now, exclude } }: RankRequest,
  ): void {
    this.#tell({ id, text, request, options: { limit, now, exclude } });
  }

  async #hear(said: WorkerReply): Promise<void> {
    if ("asks" in said) return await this.#answer(said);
    const { id, hits, failed } = said;
    if (id !== READY) {
      const done = this.#orders.get(id)?.done;
      return failed === undefined ? done?.resolve(hits) : done?.reject(new Error(failed));
    }
    if (failed !== undefined) return this.end(failed);
    this.#isReady = true;
    for (const [waiting, order] of this.#orders) this.#give(waiting, order);
  }

  async #answer({ id, asks, method, filters, args }: WorkerQuestion): Promise<void> {
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
