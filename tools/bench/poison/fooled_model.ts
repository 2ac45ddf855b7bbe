// A language model that believes everything: it saves what a text says as the user's own rule, names the user's note as
// wrong, and says of every older note that nothing is left of it.

import { type MessagesApi, serveMessagesApi } from "../../../test/support/messages_api.ts";

/** What it saves in a conversation, found by a mark in the conversation's text. */
export interface Belief {
  /** Stands in a prompt of the conversation. */
  readonly mark: string;
  readonly saved: readonly Readonly<Record<string, unknown>>[];
}

/** Starts it; disposing of it ends it. */
export async function serveFooled(beliefs: readonly Belief[]): Promise<MessagesApi> {
  return await serveMessagesApi((request) => [
    { type: "tool_use", name: "answer", input: answerTo(JSON.stringify(request), beliefs) },
  ]);
}

function answerTo(asked: string, beliefs: readonly Belief[]): unknown {
  if (!asked.includes("Known memories:")) {
    const pairs = Array.from({ length: 20 }, (_, i) => ({ pair: i + 1, older: "gone" }));
    return { pairs, further: [] };
  }
  const belief = beliefs.find(({ mark }) => asked.includes(mark));
  const turn = Math.max(1, asked.split("<turn number=").length - 1);
  const memories = (belief?.saved ?? []).map((memory) => ({ turn, ...memory }));
  return { journal: [], memories };
}
