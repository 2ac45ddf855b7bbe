// Codex CLI: `~/.codex/sessions/Y/M/D/rollout-TIME-ID.jsonl`, append-only. What a person typed is the `UserMessage` of an
// `item_completed`; `role: user` alone also has the environment, notes about subagents, and a compaction's old messages.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Entry, EntryPlace } from "../entry.ts";
import {
  blocksOf,
  type Fields,
  fieldsOf,
  parse,
  sessionsFolder,
  textOf,
  timeOf,
} from "../lines.ts";
import { messageText } from "../message_text.ts";
import { callOf, type TranscriptFormat } from "./format.ts";

/** How a command's output begins. */
const EXIT_CODE = /^Process exited with code (\d+)$/m;
const PREFACE = /^Chunk ID:[^]*?\nOutput:\n/;
const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m;

export const codex: TranscriptFormat = {
  agent: "codex",
  files: [".codex", "sessions", /^\d{4}$/, /^\d\d$/, /^\d\d$/, /^rollout-.*\.jsonl$/],
  head: /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"session_meta"/,
  holding: [
    '"turn_context"',
    '"item_completed"',
    '"task_complete"',
    '"compacted"',
    '_call"',
    '_call_output"',
  ],
  base({ payload }, path) {
    const base = fieldsOf(fieldsOf(payload)?.["history_base"]), folder = sessionsFolder(path);
    if (base === undefined) return undefined;
    const name = readdirSync(folder, { recursive: true }).map(String)
      .find((name) => name.endsWith(`-${base["thread_id"]}.jsonl`));
    return name && { path: join(folder, name), end: Number(base["end_byte_offset"]) } || undefined;
  },
  reader({ payload }) {
    const meta = fieldsOf(payload);
    if (meta?.["thread_source"] === "subagent") return undefined;
    const session = textOf(meta?.["id"]);
    let cwd = textOf(meta?.["cwd"]), turn: string | undefined;
    return (line, end) => {
      const item = fieldsOf(line["payload"]) ?? {};
      turn = textOf(item["turn_id"]) ?? turn;
      if (line["type"] === "turn_context") cwd = textOf(item["cwd"]) ?? cwd;
      const inner = fieldsOf(item["item"]);
      const uuid = textOf(inner?.["id"]) ?? textOf(item["id"]) ?? `${turn}:${end}`;
      const at = timeOf(line["timestamp"]);
      const place: EntryPlace = { uuid, end, at, session, cwd, promptId: turn };
      const type = line["type"] === "compacted" ? "compacted" : String(item["type"]);
      const read = READERS[inner === undefined ? type : `${type} ${inner["type"]}`];
      return read === undefined ? [] : [read(inner ?? item, place)];
    };
  },
};

type ItemReader = (item: Fields, place: EntryPlace) => Entry;

const READERS: Readonly<Record<string, ItemReader | undefined>> = {
  "item_completed UserMessage": (item, place) => {
    const text = messageText(textIn(item["content"]));
    return { kind: "prompt", ...place, text, isHuman: true };
  },
  "item_completed AgentMessage": (item, place) => {
    const text = messageText(textIn(item["content"]));
    return { kind: "reply", ...place, message: place.uuid, blocks: [{ kind: "text", text }] };
  },
  function_call: (item, place) => {
    const server = String(item["namespace"]), isServed = server.startsWith("mcp__");
    const name = isServed ? `${server}__${item["name"]}` : item["name"];
    return reply(place, item["call_id"], name, parse(String(item["arguments"])));
  },
  custom_tool_call: (item, place) => {
    const content = String(item["input"]);
    const path = PATCHED_FILE.exec(content)?.[1];
    return reply(place, item["call_id"], item["name"], { path, content });
  },
  function_call_output: result,
  custom_tool_call_output: result,
  task_complete: (_, place) => ({ kind: "over", ...place }),
  compacted: (_, place) => ({ kind: "compacted", ...place }),
};

function reply(place: EntryPlace, id: unknown, name: unknown, input: unknown): Entry {
  return { kind: "reply", ...place, message: undefined, blocks: [callOf(id, name, input)] };
}

function result({ call_id, output }: Fields, place: EntryPlace): Entry {
  const text = typeof output === "string" ? output : textIn(output);
  const failed = Number(EXIT_CODE.exec(text)?.[1] ?? 0) !== 0;
  const content = text.replace(PREFACE, "");
  return { kind: "results", ...place, results: [{ call: String(call_id), content, failed }] };
}

/** The text of a list of blocks, of whatever kind of text. */
function textIn(content: unknown): string {
  return blocksOf(content).flatMap(({ text }) => textOf(text) ?? []).join("\n\n");
}
