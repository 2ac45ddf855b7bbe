import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { sendJson, serveLoopback } from "./loopback.ts";

/** A block of a scripted reply. */
export type ReplyBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly name: string; readonly input: unknown };

/** One message of a request; `content` is a string or a list of blocks. */
export interface RequestMessage {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
}

/** The body of `POST /v1/messages`, as far as tests look at it. */
export interface MessagesRequest {
  readonly model: string;
  readonly messages: readonly RequestMessage[];
  readonly system?: unknown;
  readonly tools?: readonly { readonly name: string }[];
  readonly stream?: boolean;
}

/** A loopback server that speaks Anthropic's Messages API as far as Claude Code needs. */
export interface MessagesApi extends AsyncDisposable {
  readonly url: string;
  /** Every request for a message so far, oldest first. */
  readonly requests: readonly MessagesRequest[];
  close(): Promise<void>;
}

/** What a request for a message is answered with, at once or later. */
export type Script = (
  request: MessagesRequest,
) => readonly ReplyBlock[] | Promise<readonly ReplyBlock[]>;

/** Starts a server that answers every request for a message with what `script` returns for it. */
export async function serveMessagesApi(
  script: Script,
  { inputTokens = () => 10 }: {
    /** Counts the input of a request. */
    readonly inputTokens?: (request: MessagesRequest) => number;
  } = {},
): Promise<MessagesApi> {
  const requests: MessagesRequest[] = [];
  const server = await serveLoopback(async ({ method, path: asked, body }, response) => {
    const path = new URL(asked, "http://loopback").pathname;
    if (method === "POST" && path === "/v1/messages") {
      const message = JSON.parse(body) as MessagesRequest;
      requests.push(message);
      const events = replyEvents(message.model, await script(message), inputTokens(message));
      if (message.stream) sendEvents(response, events);
      else sendJson(response, 200, wholeMessage(events));
    } else if (method === "POST" && path === "/v1/messages/count_tokens") {
      sendJson(response, 200, { input_tokens: Math.ceil(body.length / 4) });
    } else if (method === "HEAD") {
      response.writeHead(200).end();
    } else {
      const error = { type: "not_found_error", message: `Nothing at ${path}` };
      sendJson(response, 404, { type: "error", error });
    }
  });
  const close = async () => await server[Symbol.asyncDispose]();
  return { url: server.url, requests, close, [Symbol.asyncDispose]: close };
}

/** Whether a request is memo's own, and not Claude Code's. */
export function isMemos({ tools }: Pick<MessagesRequest, "tools">): boolean {
  return tools?.[0]?.name === "answer";
}

/** All text that a request carries in messages of one role, in order. */
export function textOf(
  request: Pick<MessagesRequest, "messages">,
  role: RequestMessage["role"],
): string {
  return request.messages.filter((message) => message.role === role)
    .map((message) => contentText(message.content)).join("\n");
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => block.type === "text" ? block.text : contentText(block.content))
    .join("\n");
}

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The events of one streamed reply. */
function replyEvents(
  model: string,
  blocks: readonly ReplyBlock[],
  input_tokens: number,
): StreamEvent[] {
  const usesTool = blocks.some((block) => block.type === "tool_use");
  const message = {
    id: `msg_${compactId()}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens, output_tokens: 1 },
  };
  return [
    { type: "message_start", message },
    ...blocks.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: usesTool ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: "message_stop" },
  ];
}

function blockEvents(block: ReplyBlock, index: number): StreamEvent[] {
  const [start, delta] = block.type === "text"
    ? [{ type: "text", text: "" }, { type: "text_delta", text: block.text }]
    : [
      { type: "tool_use", id: `toolu_${compactId()}`, name: block.name, input: {} },
      { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
    ];
  return [
    { type: "content_block_start", index, content_block: start },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}

/** What a stream of events adds up to: the reply to a request that does not stream. */
function wholeMessage(events: readonly StreamEvent[]): unknown {
  let message: Record<string, unknown> = {};
  const content: Record<string, unknown>[] = [];
  for (const event of events) {
    const delta = event["delta"] as Record<string, string> | undefined;
    if (event.type === "message_start") message = { ...(event["message"] as object) };
    if (event.type === "content_block_start") {
      content.push({ ...(event["content_block"] as object) });
    }
    if (event.type === "content_block_delta" && delta) {
      const block = content.at(-1)!;
      if (delta["type"] === "text_delta") block["text"] = delta["text"];
      else block["input"] = JSON.parse(delta["partial_json"]!);
    }
    if (event.type === "message_delta") message["stop_reason"] = delta?.["stop_reason"];
  }
  return { ...message, content };
}

function sendEvents(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function compactId(): string {
  return randomUUID().replaceAll("-", "");
}
