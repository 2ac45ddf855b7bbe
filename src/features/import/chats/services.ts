// The forms in which ChatGPT and Claude.ai export conversations. Only what a person typed or spoke is their prompt: an
// attachment is what a tool has read, and hidden messages, thoughts and the output of tools are left out.

import { isChat } from "../../../core/memory/memory.ts";
import { redactBeforeCut } from "../../../core/redact/redact.ts";
import { oneLine } from "../../../core/text/neutralise.ts";
import { blocksOf, type Fields, fieldsOf, textOf, timeOf } from "../../../core/transcript/lines.ts";
import { headAndTail, messageText } from "../../../core/transcript/message_text.ts";
import type { Step, Turn } from "../../../core/transcript/turns.ts";

/** A conversation of an export. */
export interface Chat {
  /** Where the service shows it, which is also what memo knows it by. */
  readonly link: string;
  readonly service: string;
  readonly title: string;
  /** Its turns, oldest first; a turn's `end` is its number. */
  readonly turns: readonly Omit<Turn, "cwd">[];
}

interface Message {
  readonly id: string;
  /** The message before it; an edited one follows the same as what it was edited from. */
  readonly parent: unknown;
  readonly at: string;
  readonly isPrompt: boolean;
  readonly text: string;
  readonly attached: readonly Step[];
  /** Whether the model has read something from elsewhere before it. */
  readonly hasRead: boolean;
}

/** Every service whose exports can be imported; its conversations alone have the `field`. */
export const SERVICES = [
  { name: "ChatGPT", field: "mapping", url: "https://chatgpt.com/c/", messagesOf: gptMessages },
  {
    ...{ name: "Claude.ai", field: "chat_messages", url: "https://claude.ai/chat/" },
    messagesOf: claudeMessages,
  },
] as const;

/** The conversation in a value; undefined if it is none, or one that is not to be remembered. Throws for one without an id. */
export function readChat(value: unknown): Chat | undefined {
  const chat = fieldsOf(value) ?? {};
  const service = SERVICES.find(({ field }) => chat[field] !== undefined);
  if (service === undefined || chat["is_do_not_remember"] === true) return undefined;
  const session = String(chat["conversation_id"] ?? chat["id"] ?? chat["uuid"]);
  const link = service.url + session;
  if (!isChat(link)) throw new Error("it has no id");
  const title = oneLine(textOf(chat["title"] ?? chat["name"]) ?? "Untitled");
  const messages = branchOf(service.messagesOf(chat), textOf(chat["current_node"]));
  return { link, service: service.name, title, turns: turnsOf(messages, session) };
}

/** The branch that the person sees: to the message at hand, else to the newest. */
function branchOf(messages: readonly Message[], last: string | undefined): Message[] {
  const isLine = messages.every(({ parent }, i) => i === 0 || parent === messages[i - 1]!.id);
  if (last === undefined && isLine) return [...messages];
  const newest = messages.reduce((a, b) => b.at < a.at ? a : b, messages[0]!);
  const byId = new Map(messages.map((message) => [message.id as unknown, message]));
  const branch: Message[] = [];
  for (let next = byId.get(last) ?? newest; next; next = byId.get(next.parent)!) {
    if (!byId.delete(next.id)) break;
    branch.push(next);
  }
  return branch.reverse();
}

function turnsOf(messages: readonly Message[], session: string): Chat["turns"] {
  const turns: (Omit<Turn, "cwd" | "steps"> & { readonly steps: Step[] })[] = [];
  for (const { id, at, isPrompt, text, attached, hasRead } of messages) {
    const own = messageText(text);
    if (isPrompt && (own !== "" || attached.length > 0)) {
      const end = turns.length + 1;
      turns.push({ id, session, at, prompt: own, steps: [...attached], wrote: [], end });
    }
    const steps = turns.at(-1)?.steps;
    if (hasRead && !steps?.includes(READING)) steps?.push(READING);
    if (!isPrompt && own !== "") steps?.push({ kind: "text", text: own });
  }
  return turns;
}

const READING: Step = { kind: "tool", name: "WebSearch", input: "", result: "", failed: false };
/** Names of what brings text from elsewhere: a page, a file of the person's, another program. */
const READS = /web|brows|search|fetch|file|:/i;
/** What a model reads of an attachment. */
const ATTACHED_CHARS = 2000;

/** What a person has attached, as a tool has read it: from outside, where the export does not have all of it. */
function attachments(list: unknown): Step[] {
  return blocksOf(list).map(({ file_name: name, name: other, extracted_content: content }) => {
    const own = redactBeforeCut(textOf(content) ?? "");
    const isWhole = own !== "" && own.length <= ATTACHED_CHARS;
    const text = oneLine(isWhole ? own : headAndTail(own, ATTACHED_CHARS, "[…]"));
    return {
      ...{ kind: "tool", name: isWhole ? "Read" : "mcp__chat__attachment", failed: false },
      input: oneLine(textOf(name) ?? textOf(other) ?? "pasted text"),
      // Never like the words that a person refuses a call with.
      result: own === "" ? "" : `Attached: ${text}`,
    };
  });
}

function gptMessages({ mapping, create_time: begun }: Fields): Message[] {
  return Object.entries(fieldsOf(mapping) ?? {}).map(([id, node]) => {
    const { parent, message } = fieldsOf(node) ?? {};
    const { author, content, metadata, recipient, weight, create_time } = fieldsOf(message) ?? {};
    const { role, name } = fieldsOf(author) ?? {}, about = fieldsOf(metadata) ?? {};
    const { content_type: type, parts } = fieldsOf(content) ?? {};
    const isPrompt = role === "user";
    const isShown = (type === "text" || type === "multimodal_text") && weight !== 0 &&
      !about["is_visually_hidden_from_conversation"] && !about["is_user_system_message"] &&
      (isPrompt || (role === "assistant" && (recipient ?? "all") === "all"));
    const found = ["search_result_groups", "citations", "content_references"];
    return {
      ...{ id, parent, at: seconds(create_time ?? begun), isPrompt },
      text: isShown ? [parts].flat().map(partText).filter((text) => text !== "").join("\n") : "",
      attached: isShown && isPrompt ? attachments(about["attachments"]) : [],
      hasRead: role === "tool"
        ? READS.test(String(name))
        : role === "assistant" && found.some((key) => blocksOf(about[key]).length > 0),
    };
  });
}

/** What was typed, or spoken: of a picture or a recording there is no text. */
function partText(part: unknown): string {
  if (typeof part === "string") return part;
  const { content_type: type, text } = fieldsOf(part) ?? {};
  return type === "audio_transcription" ? textOf(text) ?? "" : "";
}

function claudeMessages({ chat_messages: list }: Fields): Message[] {
  let previous: unknown;
  return blocksOf(list).map((message) => {
    const blocks = blocksOf(message["content"]), isPrompt = message["sender"] === "human";
    // Older exports have no branches.
    const id = String(message["uuid"]), parent = message["parent_message_uuid"] ?? previous;
    previous = id;
    // Beside blocks, the text of the whole has a placeholder for each call.
    const texts = blocks.length === 0 ? [message] : blocks.filter(({ type }) => type === "text");
    return {
      ...{ id, parent, at: timeOf(message["created_at"]), isPrompt },
      text: texts.flatMap(({ text }) => textOf(text) ?? []).join("\n\n"),
      attached: isPrompt ? [message["attachments"], message["files"]].flatMap(attachments) : [],
      hasRead: blocks.some(({ type, name, integration_name: other }) =>
        type === "tool_use" && (typeof other === "string" || READS.test(String(name)))
      ),
    };
  });
}

/** A time in seconds since 1970. */
function seconds(value: unknown): string {
  const time = new Date(typeof value === "number" ? value * 1000 : 0);
  return timeOf(Number.isNaN(time.getTime()) ? undefined : time.toISOString());
}
