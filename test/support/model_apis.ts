// The APIs of other providers, as far as the programs that are tested need them: each answers with one text.

import type { ServerResponse } from "node:http";
import { type Loopback, type Received, sendJson, serveLoopback } from "./loopback.ts";

/** What a request is answered with. */
const ANSWER = "Understood.";

type Event = { readonly type?: string } & Readonly<Record<string, unknown>>;

/** The forms of a model's answer, by what the request's path has. */
const FORMS: Readonly<Record<string, (request: Received, response: ServerResponse) => void>> = {
  "/responses": (_, response) => {
    const content = [{ type: "output_text", text: ANSWER, annotations: [] }];
    const item = { type: "message", id: "m1", role: "assistant", status: "completed", content };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    sendEvents(response, [
      { type: "response.created", response: { id: "r1" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "r1", output: [], usage } },
    ]);
  },
  ":streamGenerateContent": (_, response) => sendEvents(response, [generated()]),
  ":generateContent": (_, response) => sendJson(response, 200, generated()),
  "/chat/completions": ({ body }, response) => {
    const { model, stream } = JSON.parse(body);
    const base = { id: "c1", created: 1, model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const message = { role: "assistant", content: ANSWER };
    if (!stream) {
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      return sendJson(response, 200, { ...base, object: "chat.completion", choices, usage });
    }
    const part = (delta: object, finish_reason: string | null) => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
      usage,
    });
    sendEvents(response, [part(message, null), part({}, "stop")], "data: [DONE]\n\n");
  },
};

function generated(): object {
  const content = { role: "model", parts: [{ text: ANSWER }] };
  return {
    candidates: [{ index: 0, content, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}

function sendEvents(response: ServerResponse, events: readonly object[], end = ""): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const lines = events.map((event) => {
    const { type } = event as Event;
    return `${type === undefined ? "" : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
  });
  response.end(lines.join("") + end);
}

/** Starts a loopback server for OpenAI's Responses and Chat Completions, and Gemini's API. */
export function serveModelApis(): Promise<Loopback> {
  return serveLoopback((request, response) => {
    const form = Object.keys(FORMS).find((part) => request.path.includes(part));
    if (form === undefined) sendJson(response, 404, {});
    else FORMS[form]!(request, response);
  });
}
