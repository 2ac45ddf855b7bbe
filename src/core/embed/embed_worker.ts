// Computes vectors for `off_loop.ts` in a thread or a process of its own: one text after the other.

import { parentPort } from "node:worker_threads";
import { messageOf } from "../../errors.ts";
import type { EmbedReply, EmbedRequest } from "./off_loop.ts";
import { loadRuntime, type ModelRuntime } from "./transformers.ts";

const send = (answer: EmbedReply) =>
  parentPort === null ? process.send!(answer) : parentPort.postMessage(answer);

let runtime: ModelRuntime | undefined;
(parentPort ?? process).on("message", async ({ id, source, tokens, asStates }: EmbedRequest) => {
  try {
    if (source !== undefined) runtime = await loadRuntime(source);
    else if (tokens === undefined) await runtime?.close();
    const compute = asStates ? runtime?.statesOf : runtime?.vectorOf;
    send({ id, vector: tokens && await compute!(tokens) });
  } catch (error) {
    send({ id, failed: messageOf(error) });
  }
});
if (parentPort === null) process.on("disconnect", () => process.exit());
