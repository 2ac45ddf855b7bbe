// The runtime of a model in a worker: ONNX Runtime blocks the thread that it computes in, and the daemon's is to answer
// others meanwhile.

import { Worker } from "node:worker_threads";
import { MemoError } from "../errors.ts";
import type { Runtime, RuntimeSource } from "./transformers.ts";

/** What a worker is sent for one text; without one it closes what it holds: an open file outlives its thread. */
export interface Order {
  readonly id: number;
  readonly tokens?: readonly number[];
}

/** What it answers; the first answer, to its source, is `0`. */
export interface Answer {
  readonly id: number;
  readonly vector?: Float32Array;
  /** Why there is no vector. */
  readonly failed?: string;
}

/** Loads the weights into a worker; rejects if it cannot. A worker that has died is replaced with the next text. */
export async function startRuntime(source: RuntimeSource): Promise<Runtime> {
  let thread = await start(source);
  let isClosed = false;
  return {
    async vectorOf(tokens) {
      if (thread.isOver() && !isClosed) thread = await start(source);
      return await thread.vectorOf(tokens);
    },
    async close() {
      isClosed = true;
      await thread.close();
    },
  };
}

/** The same in several workers; each text goes to the one with the fewest. */
export async function startRuntimes(source: RuntimeSource, count: number): Promise<Runtime> {
  const starting = Array.from({ length: count }, () => startRuntime(source));
  const workers = (await Promise.all(starting)).map((runtime) => ({ runtime, texts: 0 }));
  return {
    async vectorOf(tokens) {
      const worker = workers.reduce((least, each) => each.texts < least.texts ? each : least);
      worker.texts++;
      try {
        return await worker.runtime.vectorOf(tokens);
      } finally {
        worker.texts--;
      }
    },
    async close() {
      await Promise.all(workers.map(({ runtime }) => runtime.close()));
    },
  };
}

interface Thread extends Runtime {
  isOver(): boolean;
}

type Waiting = PromiseWithResolvers<Float32Array | undefined>;

async function start(source: RuntimeSource): Promise<Thread> {
  const worker = new Worker(new URL("./embed_worker.ts", import.meta.url), { workerData: source });
  const waiting = new Map<number, Waiting>();
  let count = 0;
  let failure: MemoError | undefined;
  const answerTo = async (id: number) => {
    const promise: Waiting = Promise.withResolvers();
    waiting.set(id, promise);
    worker.ref(); // Bun's main thread spins, for as long as the text takes, while it waits for what holds no process
    try {
      return await promise.promise;
    } finally {
      if (waiting.size === 0) worker.unref();
    }
  };
  const end = (because: string) => {
    failure ??= new MemoError("model", `Cannot embed: the model's thread exited (${because})`, {
      hint: "Run `memo daemon restart`",
    });
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on("message", ({ id, vector, failed }: Answer) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (failed === undefined) resolve?.(vector);
    else reject?.(new Error(failed));
  });
  worker.on("error", (error: Error) => end(error.message));
  worker.on("exit", (code: number) => end(`code ${code}`));
  try {
    await answerTo(0);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  const ask = async (order: Omit<Order, "id">) => {
    if (failure !== undefined) throw failure;
    const id = ++count;
    worker.postMessage({ id, ...order } satisfies Order);
    return await answerTo(id);
  };
  return {
    isOver: () => failure !== undefined,
    vectorOf: async (tokens) => (await ask({ tokens }))!,
    async close() {
      await ask({}).catch(() => {}); // it has exited, or will
      await worker.terminate();
    },
  };
}
