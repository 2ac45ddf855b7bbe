// A language model for the bench: a Messages API on the loopback address that knows the replies that were recorded, and
// writes down every question that was not.

import { sendJson, serveLoopback } from "../../../test/support/loopback.ts";
import { writeQuestion } from "../questions.ts";
import { keyOf, readReplies, type Reply } from "../recording.ts";
import { readVerdicts, type Texts } from "../verdicts.ts";

export interface RecordedModelOptions {
  /** The file of replies, JSON Lines, or several. */
  readonly replies: string | readonly string[];
  /** Where questions without a reply are written, one file each; undefined: nowhere. */
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
  readonly open: ReadonlySet<string>;
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
  const open = new Set<string>();
  const sent: string[] = [];
  let answered: Toll = { questions: 0, input: 0, output: 0, usd: 0 };
  const server = await serveLoopback(({ body }, response) => {
    sent.push(body);
    const asked = JSON.parse(body) as Request;
    const { system, messages, tools } = asked, schema = tools?.[0]?.input_schema;
    const key = keyOf(system, messages, schema);
    const judged = verdicts.answerTo(textsOf(asked));
    const reply = replies.get(key) ?? (judged && { key, ...judged });
    if (reply === undefined) {
      open.add(key);
      if (options.questions !== undefined) {
        const texts = [system, ...messages.map(({ content }) => content)].map(textOf);
        writeQuestion(options.questions, key, { texts, schema });
      }
      const message = `No reply to question ${key} was recorded`;
      const error = { type: "invalid_request_error", message };
      return sendJson(response, 400, { type: "error", error });
    }
    answered = add(answered, reply);
    sendJson(response, 200, messageOf(reply));
  });
  return {
    url: server.url,
    get answered() {
      return answered;
    },
    sent,
    open,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
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

function textsOf({ system, messages }: Request): Texts {
  return {
    system: textOf(system),
    prompt: messages.map(({ content }) => textOf(content)).join("\n"),
  };
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
