// A language model for the bench: a Messages API on the loopback address that knows the replies that were recorded, and
// writes down every question that was not.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { writeQuestionFile } from "../../../bench/question_files.ts";
import { readReplies, type Reply } from "../../../bench/recording.ts";
import { listingOf, readVerdicts, type Texts } from "../../../bench/verdicts.ts";

export interface RecordedModelOptions {
  /** The file of replies, JSON Lines, or several. */
  readonly replies: string | readonly string[];
  /**
   * Where questions without a reply are written, one file each; undefined: nowhere. Those that list notes are left to
   * `wideQuestions`.
   */
  readonly questions?: string | undefined;
}

/** What questions took, by the recorded replies. */
export interface Toll {
  readonly questions: number;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  /** US dollars. */
  readonly usd: number;
}

/** The running server. */
export interface RecordedModel extends AsyncDisposable {
  readonly url: string;
  /** The questions that were answered. */
  readonly answered: Toll;
  /** Every text that was sent to it. */
  readonly sent: readonly string[];
  /** The questions that no reply was recorded for, by key. */
  readonly open: ReadonlyMap<string, Texts>;
}

/** The parts of a request that its answer may depend on. */
interface Request {
  readonly system?: unknown;
  readonly messages: readonly { readonly content: unknown }[];
  readonly tools?: readonly { readonly input_schema?: unknown }[];
}

/** Starts the server; a question without a recorded reply is refused with 400, which is not asked again. */
export async function serveRecorded(options: RecordedModelOptions): Promise<RecordedModel> {
  const files = [options.replies].flat();
  const replies = new Map(files.flatMap((file) => [...readReplies(file)]));
  const verdicts = readVerdicts(files[0]!);
  const open = new Map<string, Texts>();
  const sent: string[] = [];
  let answered: Toll = { questions: 0, input: 0, output: 0, usd: 0 };
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    sent.push(body);
    const asked = JSON.parse(body) as Request;
    const key = keyOf(asked);
    const texts = textsOf(asked);
    const judged = verdicts.answerTo(texts);
    const reply = replies.get(key) ?? (judged && { key, ...judged });
    response.setHeader("content-type", "application/json");
    if (reply === undefined) {
      open.set(key, texts);
      if (options.questions !== undefined && listingOf(texts) === undefined) {
        writeQuestion(options.questions, key, asked);
      }
      const message = `No reply to question ${key} was recorded`;
      response.writeHead(400);
      response.end(
        JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }),
      );
      return;
    }
    answered = add(answered, reply);
    response.end(JSON.stringify(messageOf(reply)));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get answered() {
      return answered;
    },
    sent,
    open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

function add(toll: Toll, { input, output, usd = 0 }: Reply): Toll {
  return {
    questions: toll.questions + 1,
    input: toll.input + input,
    output: toll.output + output,
    usd: toll.usd + usd,
  };
}

/** What was added to a toll since. */
export function since(before: Toll, now: Toll): Toll {
  return {
    questions: now.questions - before.questions,
    input: now.input - before.input,
    output: now.output - before.output,
    usd: now.usd - before.usd,
  };
}

/** Names a question by the text that the model sees. */
function keyOf({ system, messages, tools }: Request): string {
  const seen = JSON.stringify([system, messages, tools?.[0]?.input_schema]);
  return createHash("sha256").update(seen).digest("hex").slice(0, 32);
}

function textsOf({ system, messages }: Request): Texts {
  return {
    system: textOf(system),
    prompt: messages.map(({ content }) => textOf(content)).join("\n"),
  };
}

/** A question as a person or another model can answer it, the schema of its answer last. */
function writeQuestion(folder: string, key: string, { system, messages, tools }: Request): void {
  const parts = [
    textOf(system),
    ...messages.map(({ content }) => textOf(content)),
    `Answer with one JSON object of this schema:\n${JSON.stringify(tools?.[0]?.input_schema)}`,
  ];
  writeQuestionFile(folder, { file: key, key }, parts.join("\n\n---\n\n") + "\n");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as { text?: string }[] ?? []).map(({ text = "" }) => text).join("\n");
}

function messageOf(reply: Reply) {
  return {
    id: `msg_${reply.key}`,
    type: "message",
    role: "assistant",
    model: reply.model,
    content: [{ type: "tool_use", id: `toolu_${reply.key}`, name: "answer", input: reply.answer }],
    stop_reason: "tool_use",
    usage: { input_tokens: reply.input, output_tokens: reply.output },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
