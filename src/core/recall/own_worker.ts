// The thread of a strategy in a file of the user's (`own_strategy.ts`).

import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../errors.ts";
import type { Corpus, TypeFilter } from "../index/corpus.ts";
import { Query } from "../index/query.ts";
import {
  ASKED,
  OWN_API,
  type OwnSource,
  READY,
  type WorkerQuestion,
  type WorkerReply,
  type WorkerRequest,
} from "./own_strategy.ts";

const waiting = new Map<number, PromiseWithResolvers<unknown>>();
const say = (said: WorkerReply) => parentPort!.postMessage(said);
let count = 0;

/** Asks the other side something about the query or the corpus of an order. */
function ask({ id, method, filters, args }: Omit<WorkerQuestion, "asks">) {
  const asks = ++count, answer = Promise.withResolvers<unknown>();
  waiting.set(asks, answer);
  say({ id, asks, method, filters, args });
  return answer.promise;
}

function corpusOf(id: number, filters: readonly TypeFilter[] = []): Corpus {
  const methods = ASKED.map((method) =>
    [method, (...args: readonly unknown[]) => ask({ id, method, filters, args })] as const
  );
  return {
    ...Object.fromEntries(methods),
    of: (filter) => corpusOf(id, filter === undefined ? filters : [...filters, filter]),
  } as Corpus;
}

// What it prints must not come between what a command prints.
console.log = console.info = console.debug = console.error;

try {
  const { name, text } = workerData as OwnSource;
  const type = name.endsWith(".ts") ? "typescript" : "javascript";
  // The very content that was allowed, not whatever is in the file by now.
  const data = `data:text/${type};base64,${Buffer.from(text).toString("base64")}`;
  const { api, default: strategy } = await import(data);
  if (api !== OWN_API) throw new Error(`it has no \`export const api = ${OWN_API}\``);
  if (typeof strategy?.rank !== "function") throw new Error("its default export has no `rank`");
  parentPort!.on("message", async (told: WorkerRequest) => {
    if ("answered" in told) {
      const { resolve, reject } = waiting.get(told.answered)!;
      waiting.delete(told.answered);
      return told.failed === undefined ? resolve(told.value) : reject(new Error(told.failed));
    }
    const { id, text, request, options } = told;
    const embed = () => ask({ id, method: "vector", filters: [], args: [] });
    try {
      const query = new Query(text, embed as () => Promise<Float32Array>, { request });
      say({ id, hits: await strategy.rank(query, corpusOf(id), options) });
    } catch (error) {
      say({ id, failed: messageOf(error) });
    }
  });
  say({ id: READY });
} catch (error) {
  say({ id: READY, failed: messageOf(error) });
}
