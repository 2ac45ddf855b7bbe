// Gemini CLI: `~/.gemini/tmp/FOLDER/chats/session-TIME-ID.jsonl`, a log of changes. A message comes again with its tools'
// results, and all of them in a `$set` at a resume, so each id counts where it stood first. `$rewindTo` takes back a
// message and all after it.

import { dirname, join } from "node:path";
import { textAt } from "../../files/there.ts";
import {
  type Entry,
  type EntryPlace,
  readable,
  type ReplyBlock,
  type ToolResult,
} from "../entry.ts";
import { blocksOf, type Fields, fieldsOf, textOf, timeOf } from "../lines.ts";
import { messageText } from "../message_text.ts";
import { callOf, textBlocks, type TranscriptFormat } from "./format.ts";
import { FAILED } from "./tools.ts";

/** What hooks said: before the prompt in its own part, in a part of its own, and behind the output of tools. */
const HOOK_CONTEXT = /<hook_context>[^]*?<\/hook_context>/g;
/** Parts that Gemini CLI writes itself: about the machine, and what a compaction left. */
const OWN = /^\s*<(?:session_context|state_snapshot)\b/;
const WORKSPACE = /Workspace Directories:\*\*\\n\s+- ([^\\"]+)/;
/** How it wraps the output of tools. */
const UNTRUSTED = /<\/?untrusted_context>/g;

export const gemini: TranscriptFormat = {
  agent: "gemini",
  files: [".gemini", "tmp", /^/, "chats", /^session-.*\.jsonl$/],
  head: /^\{"sessionId":"[^"]*","projectHash":/,
  holding: ['"user"', '"gemini"', '"$rewindTo"'],
  isAmended: true,
  reader({ sessionId, kind }, path) {
    if (kind === "subagent") return undefined;
    const session = textOf(sessionId);
    // The folder that a session belongs to, which Gemini CLI keeps beside its conversations.
    let cwd = textOf(textAt(join(dirname(dirname(path)), ".project_root"))?.trim());
    /** By id, where a message stood first. */
    const ends = new Map<string, number>();
    const calls = new Set<string>();
    /** By message, the entry before it. */
    const before = new Map<unknown, string | undefined>();
    let last: string | undefined, parent: string | undefined;
    const read = (message: Fields, end: number): Entry[] => {
      const id = textOf(message["id"]);
      if (id === undefined) return [];
      const isKnown = ends.has(id);
      if (!isKnown) {
        ends.set(id, end);
        before.set(id, last);
      }
      const at = timeOf(message["timestamp"]);
      const place: EntryPlace = { uuid: id, parent, end: ends.get(id)!, at, session, cwd };
      cwd ??= WORKSPACE.exec(JSON.stringify(message).slice(0, 4000))?.[1];
      if (message["type"] === "user") return isKnown ? [] : promptIn(message, place);
      return message["type"] === "gemini" ? replyIn(message, place, { isKnown, calls }) : [];
    };
    return (line, end) => {
      const list = fieldsOf(line["$set"])?.["messages"];
      const entries = list === undefined
        ? read(line, end)
        : blocksOf(list).flatMap((message) => readable(end, () => read(message, end)));
      parent = line["$rewindTo"] === undefined
        ? entries.length === 0 ? parent : undefined
        : before.get(line["$rewindTo"]);
      last = entries.at(-1)?.uuid ?? last;
      return entries;
    };
  },
};

function promptIn({ content }: Fields, place: EntryPlace): Entry[] {
  const parts = typeof content === "string" ? [{ text: content }] : blocksOf(content);
  const texts = parts.flatMap((part) => textOf(part["text"]) ?? [])
    .map((text) => messageText(text.replace(HOOK_CONTEXT, "")))
    .filter((text) => text !== "" && !OWN.test(text));
  if (texts.length === 0) return [];
  return [{ kind: "prompt", ...place, text: texts.join("\n\n"), isHuman: true }];
}

function replyIn(
  { content, toolCalls }: Fields,
  place: EntryPlace,
  { isKnown, calls }: { readonly isKnown: boolean; readonly calls: Set<string> },
): Entry[] {
  const fresh = blocksOf(toolCalls).filter(({ id }) => !calls.has(String(id)));
  for (const { id } of fresh) calls.add(String(id));
  const blocks = [
    ...textBlocks(isKnown ? "" : content),
    ...fresh.map(({ id, name, args }) => callOf(id, name, args)),
  ];
  if (blocks.length === 0) return [];
  const uuid = isKnown ? `${place.uuid}:tools` : place.uuid;
  const results = fresh.flatMap(({ result }) => partResults(result));
  return [
    { kind: "reply", ...place, uuid, message: place.uuid, blocks },
    { kind: "results", ...place, uuid: `${uuid}:results`, results },
  ];
}

/** The texts and calls among the parts of a message. */
export function partBlocks(parts: unknown): ReplyBlock[] {
  return blocksOf(parts).flatMap((part): ReplyBlock[] => {
    const call = fieldsOf(part["functionCall"]);
    if (call !== undefined) return [callOf(call["id"], call["name"], call["args"])];
    return textBlocks(part["thought"] ? "" : part["text"]);
  });
}

/** The results of calls among them. */
export function partResults(parts: unknown): ToolResult[] {
  return blocksOf(parts).flatMap((part) => {
    const { id, response } = fieldsOf(part["functionResponse"]) ?? {};
    const { output, error } = fieldsOf(response) ?? {};
    if (id === undefined) return [];
    const text = String(output ?? error ?? "");
    const failed = error !== undefined || FAILED.test(text);
    const content = messageText(text.replace(HOOK_CONTEXT, "").replaceAll(UNTRUSTED, ""));
    return [{ call: String(id), content, failed }];
  });
}
