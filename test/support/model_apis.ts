// The APIs of other providers, as far as the programs that are tested need them: each answers with
// the calls of tools that it is given, and then with one text.

import type { ServerResponse } from "node:http";
import { type Loopback, type Received, sendJson, serveLoopback } from "./loopback.ts";

/** What a request is answered with. */
const ANSWER = "Understood.";

/** A call of a tool, which the next request gets that offers it. */
export interface ModelCall {
  readonly name: string;
  readonly input: object;
  /** The group of tools that it is in, for the Responses API. */
  readonly namespace?: string;
}

type Event = { readonly type?: string } & Readonly<Record<string, unknown>>;

type Form = (request: Received, response: ServerResponse, call?: ModelCall) => void;

/** The forms of a model's answer, by what the request's path has. */
const FORMS: Readonly<Record<string, Form>> = {
  "/responses": (_, response, call) => {
    const content = [{ type: "output_text", text: ANSWER, annotations: [] }];
    const item = call === undefined
      ? { type: "message", id: "m1", role: "assistant", status: "completed", content }
      : {
        ...{ type: "function_call", id: "f1", status: "completed", call_id: idOf(call) },
        ...{ name: call.name, arguments: JSON.stringify(call.input) },
        ...call.namespace === undefined ? {} : { namespace: call.namespace },
      };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    sendEvents(response, [
      { type: "response.created", response: { id: "r1" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "r1", output: [], usage } },
    ]);
  },
  ":streamGenerateContent": (_, response, call) => sendEvents(response, [generated(call)]),
  ":generateContent": (_, response, call) => sendJson(response, 200, generated(call)),
  "/chat/completions": ({ body }, response, call) => {
    const { model, stream } = JSON.parse(body);
    const base = { id: "c1", created: 1, model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const called = call && { name: call.name, arguments: JSON.stringify(call.input) };
    const tool_calls = call && [{ index: 0, id: idOf(call), type: "function", function: called }];
    const message = { role: "assistant", ...call ? { tool_calls } : { content: ANSWER } };
    const finish_reason = call ? "tool_calls" : "stop";
    if (!stream) {
      const choices = [{ index: 0, message, finish_reason }];
      return sendJson(response, 200, { ...base, object: "chat.completion", choices, usage });
    }
    const part = (delta: object, finish_reason: string | null) => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
      usage,
    });
    sendEvents(response, [part(message, null), part({}, finish_reason)], "data: [DONE]\n\n");
  },
};

function idOf({ name }: ModelCall): string {
  return `call_${name}`;
}

function generated(call?: ModelCall): object {
  const part = call ? { functionCall: { name: call.name, args: call.input } } : { text: ANSWER };
  const content = { role: "model", parts: [part] };
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

/** Starts a loopback server for OpenAI's Responses and Chat Completions, and Gemini's API; `calls` are used up. */
export function serveModelApis(calls: ModelCall[]): Promise<Loopback> {
  return serveLoopback((request, response) => {
    const form = Object.keys(FORMS).find((part) => request.path.includes(part));
    if (form === undefined) return sendJson(response, 404, {});
    const [next] = calls;
    const isOffered = next !== undefined && request.body.includes(`"name":"${next.name}"`);
    FORMS[form]!(request, response, isOffered ? calls.shift() : undefined);
  });
}
