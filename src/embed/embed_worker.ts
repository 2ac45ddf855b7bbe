// The thread that computes vectors (`off_loop.ts`): one text after the other.

import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../errors.ts";
import type { Answer, Order } from "./off_loop.ts";
import { loadRuntime, type RuntimeSource } from "./transformers.ts";

const send = (answer: Answer) => parentPort!.postMessage(answer);

try {
  const runtime = await loadRuntime(workerData as RuntimeSource);
  parentPort!.on("message", async ({ id, tokens }: Order) => {
    try {
      if (tokens !== undefined) return send({ id, vector: await runtime.vectorOf(tokens) });
      await runtime.close();
      send({ id });
    } catch (error) {
      send({ id, failed: messageOf(error) });
    }
  });
  send({ id: 0 });
} catch (error) {
  send({ id: 0, failed: messageOf(error) });
}
