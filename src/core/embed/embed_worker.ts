// Computes vectors for `off_loop.ts` in a thread or a process of its own: one text after the other.

import { parentPort } from "node:worker_threads";
import { messageOf } from "../../errors.ts";
import type { Answer, Order } from "./off_loop.ts";
import { loadRuntime, type Runtime } from "./transformers.ts";

const send = (answer: Answer) =>
  parentPort === null ? process.send!(answer) : parentPort.postMessage(answer);

let runtime: Runtime | undefined;
(parentPort ?? process).on("message", async ({ id, source, tokens }: Order) => {
  try {
    if (source !== undefined) runtime = await loadRuntime(source);
    else if (tokens === undefined) await runtime?.close();
    send({ id, vector: tokens && await runtime!.vectorOf(tokens) });
  } catch (error) {
    send({ id, failed: messageOf(error) });
  }
});
if (parentPort === null) process.on("disconnect", () => process.exit());
