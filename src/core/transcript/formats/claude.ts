// Claude Code's transcripts. The format changes, so unknown lines are skipped. Also skipped: subagents' conversations,
// lines hidden from the user (`isMeta`), attachments (among them memo's own blocks), images, and the model's thinking.

import type { Entry, EntryPlace, ModelReply, Prompt, ReplyBlock, TurnMark } from "../entry.ts";
import {
  blocksOf,
  broken,
  type Fields,
  fieldsOf,
  isSynthetic,
  parse,
  textOf,
  textsOf,
  timeOf,
} from "../lines.ts";
import { messageText } from "../message_text.ts";
import { readReport } from "../subagent_report.ts";
import { textBlocks } from "./format.ts";

/** Lines that open with any other type; they only quote the conversation. */
const NOT_CONVERSATION = /^\{"type": ?"(?!user|assistant|system|attachment)/;
/** The meaning of some `system` lines, by subtype. */
const MARKS: ReadonlyMap<unknown, TurnMark["kind"]> = new Map([
  ["stop_hook_summary", "over"],
  ["turn_duration", "over"],
  ["compact_boundary", "compacted"],
]);
/** A line with none of these is not decoded. */
export const HOLDING = ["user", "assistant", "queued_command", ...MARKS.keys()].map((word) =>
  `"${word}"`
);
/** Values of `turnOrigin` that mean a person, or a program acting for one. */
const HUMAN_ORIGINS: readonly unknown[] = [undefined, "human", "sdk"];
const INTERRUPTED = /^\[Request interrupted by user/;
const COMMAND = /<command-name>([^<]*)<\/command-name>/;
const COMMAND_ARGS = /<command-args>([^]*?)<\/command-args>/;
/** Command output in a user turn, which is not a prompt. */
const COMMAND_OUTPUT = /^\s*<(?:local-command-|bash-)/;

/** A line's entry; undefined if it does not matter to turns. Throws if it cannot be read. */
export function readEntry(text: string, end: number): Entry | undefined {
  if (NOT_CONVERSATION.test(text)) return undefined;
  const line = parse(text) ?? broken();
  const uuid = textOf(line["uuid"]);
  if (uuid === undefined) return undefined;
  if (line["isSidechain"] || line["isMeta"]) return undefined;
  const isSummary = line["isCompactSummary"] === true;
  if (line["isVisibleInTranscriptOnly"] && !isSummary) return undefined;
  if (line["isApiErrorMessage"]) return undefined;
  const place = { uuid, ...placeIn(line, end) };
  if (!isSummary) return READERS.get(line["type"])?.(line, place);
  const said = textsOf(fieldsOf(line["message"])?.["content"]).map(messageText);
  return { kind: "summary", ...place, text: said.join("\n\n") };
}

/** Where a line stands in its conversation; Qwen Code has taken over the names of these fields. */
export function placeIn(line: Fields, end: number): Omit<EntryPlace, "uuid"> {
  const [parent, session, cwd, promptId] = ["parentUuid", "sessionId", "cwd", "promptId"]
    .map((name) => textOf(line[name]));
  return { parent, end, at: timeOf(line["timestamp"]), session, cwd, promptId };
}

const READERS: ReadonlyMap<unknown, (line: Fields, place: EntryPlace) => Entry | undefined> =
  new Map([
    ["user", readUser],
    ["assistant", readAssistant],
    ["system", (line, place) => {
      const kind = MARKS.get(line["subtype"]);
      return kind === undefined ? undefined : { kind, ...place };
    }],
    ["attachment", readAttachment],
  ]);

function readUser(line: Fields, place: EntryPlace): Entry | undefined {
  const content = fieldsOf(line["message"])?.["content"];
  const results = blocksOf(content).filter((block) => block["type"] === "tool_result");
  if (results.length > 0) {
    const read = results.map(({ tool_use_id: call, content, is_error: failed }) => ({
      ...{ call: String(call), content, failed: failed === true },
    }));
    return { kind: "results", ...place, results: read };
  }
  const report = readReport(textsOf(content)[0] ?? "");
  if (report !== undefined) return { ...machinePrompt(place), report };
  if (!HUMAN_ORIGINS.includes(line["turnOrigin"])) return machinePrompt(place);
  return readPrompt(content, place);
}

function readPrompt(content: unknown, place: EntryPlace): Entry | undefined {
  const texts = textsOf(content);
  const first = texts[0] ?? "";
  if (INTERRUPTED.test(first)) return { kind: "over", ...place };
  if (COMMAND_OUTPUT.test(first)) return undefined;
  const command = isSynthetic(first) ? COMMAND.exec(first)?.[1] : undefined;
  if (command !== undefined) {
    const args = COMMAND_ARGS.exec(first)?.[1] ?? "";
    const text = messageText(`${command.trim()} ${args}`);
    return { kind: "prompt", ...place, text, isHuman: false };
  }
  const said = texts.filter((text) => !isSynthetic(text)).map(messageText)
    .filter((text) => text !== "");
  if (said.length === 0 && texts.length > 0) return machinePrompt(place);
  return { kind: "prompt", ...place, text: said.join("\n\n"), isHuman: true };
}

function machinePrompt(place: EntryPlace): Prompt {
  return { kind: "prompt", ...place, text: "", isHuman: false };
}

function readAssistant(line: Fields, place: EntryPlace): ModelReply | undefined {
  const message = fieldsOf(line["message"]);
  if (message?.["model"] === "<synthetic>") return undefined; // Claude Code's placeholder for a missing answer
  const blocks = blocksOf(message?.["content"]).flatMap((block): ReplyBlock[] => {
    if (block["type"] === "text") return textBlocks(block["text"]);
    if (block["type"] !== "tool_use") return [];
    const input = fieldsOf(block["input"]) ?? {};
    return [{ kind: "call", id: String(block["id"]), name: String(block["name"]), input }];
  });
  return { kind: "reply", ...place, message: textOf(message?.["id"]), blocks };
}

/** Reads the attachments that bring the model a person's or subagent's message while it works; others are skipped. */
function readAttachment(line: Fields, place: EntryPlace): Entry | undefined {
  const attachment = fieldsOf(line["attachment"]);
  if (attachment?.["type"] !== "queued_command" || attachment["isMeta"]) return undefined;
  const report = readReport(textsOf(attachment["prompt"])[0] ?? "");
  if (report !== undefined) return { kind: "report", ...place, report };
  if ((attachment["commandMode"] ?? "prompt") !== "prompt") return undefined;
  const origin = fieldsOf(attachment["origin"])?.["kind"];
  if (!HUMAN_ORIGINS.includes(origin)) return undefined;
  const entry = readPrompt(attachment["prompt"], place);
  return entry?.kind === "prompt" && entry.isHuman ? entry : undefined;
}
