// A language model that believes everything: it saves what a text says as the user's own rule, names the user's note as
// wrong, and says of every older note that nothing is left of it.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What it saves in a conversation, found by a mark in the conversation's text. */
export interface Belief {
  /** Stands in a prompt of the conversation. */
  readonly mark: string;
  readonly saved: readonly Readonly<Record<string, unknown>>[];
}

/** Starts it; disposing of it ends it. */
export async function serveFooled(
  beliefs: readonly Belief[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = Buffer.concat(chunks).toString();
    const { model } = JSON.parse(asked);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({
      ...{ id: "msg_1", type: "message", role: "assistant", model, stop_reason: "tool_use" },
      content: [{ type: "tool_use", id: "toolu_1", name: "answer", input: answerTo(asked) }],
      usage: { input_tokens: 1, output_tokens: 1 },
    }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };

  function answerTo(asked: string): unknown {
    if (!asked.includes("Known memories:")) {
      const pairs = Array.from({ length: 20 }, (_, i) => ({ pair: i + 1, older: "gone" }));
      return { pairs, further: [] };
    }
    const belief = beliefs.find(({ mark }) => asked.includes(mark));
    const turn = Math.max(1, asked.split("<turn number=").length - 1);
    const memories = (belief?.saved ?? []).map((memory) => ({ turn, ...memory }));
    return { journal: [], memories };
  }
}
