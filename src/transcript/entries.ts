// The transcript lines that capture reads. The format is Claude Code's own and changes, so unknown lines are skipped.
// Also skipped: subagents' conversations, lines hidden from the user (`isMeta`), attachments (among them memo's own
// blocks), images, and the model's thinking.

import { isSynthetic } from "./synthetic.ts";
import { linesOf } from "./lines.ts";
import { messageText } from "./message_text.ts";
import { readReport, type SubagentReport } from "./subagent_report.ts";

/** A transcript line that matters to turns. */
export type Entry = Prompt | Reply | Results | Mark | Summary | Report;

interface Place {
  /** The line's id; a fork's copy has the same. */
  readonly uuid: string;
  /** The preceding line in the conversation, which is not always the one above it. */
  readonly parent: string | undefined;
  /** Where the line ends in the file, in bytes. */
  readonly end: number;
  readonly at: string;
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  /** The prompt that it belongs to. */
  readonly promptId: string | undefined;
}

/** The beginning of a turn. */
export interface Prompt extends Place {
  readonly kind: "prompt";
  /** The text a person wrote; empty if Claude Code made the prompt. */
  readonly text: string;
  /** Whether it counts without a reply. */
  readonly isHuman: boolean;
  /** The subagent's report, if the prompt is one. */
  readonly report?: SubagentReport | undefined;
}

/** Text or tool calls of the model: one or more blocks of a message. */
export interface Reply extends Place {
  readonly kind: "reply";
  /** The message of the blocks; Claude Code writes one line per block. */
  readonly message: string | undefined;
  readonly blocks: readonly ReplyBlock[];
}

export type ReplyBlock =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "call";
    readonly id: string;
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
  };

/** Results of tool calls. */
export interface Results extends Place {
  readonly kind: "results";
  readonly results: readonly Result[];
}

export interface Result {
  /** The call's id. */
  readonly call: string;
  readonly content: unknown;
  readonly failed: boolean;
}

/** A report of a background subagent that ended while the model was working. */
export interface Report extends Place {
  readonly kind: "report";
  readonly report: SubagentReport;
}

/** The end of a turn, or a compaction of the conversation so far. */
export interface Mark extends Place {
  readonly kind: "over" | "compacted";
}

/** The summary that replaced the conversation; it repeats earlier text. */
export interface Summary extends Place {
  readonly kind: "summary";
  readonly text: string;
}

/** Lines that open with any other type; they only quote the conversation. */
const NOT_CONVERSATION = /^\{"type": ?"(?!user|assistant|system|attachment)/;
/** The meaning of some `system` lines, by subtype. */
const MARKS: ReadonlyMap<unknown, Mark["kind"]> = new Map([
  ["stop_hook_summary", "over"],
  ["turn_duration", "over"],
  ["compact_boundary", "compacted"],
]);
/** A line with none of these is not decoded. */
const HOLDING = ["user", "assistant", "queued_command", ...MARKS.keys()].map((word) => `"${word}"`);
/** Values of `turnOrigin` that mean a person, or a program acting for one. */
const HUMAN_ORIGINS: readonly unknown[] = [undefined, "human", "sdk"];
const INTERRUPTED = /^\[Request interrupted by user/;
const COMMAND = /<command-name>([^<]*)<\/command-name>/;
const COMMAND_ARGS = /<command-args>([^]*?)<\/command-args>/;
/** Command output in a user turn, which is not a prompt. */
const COMMAND_OUTPUT = /^\s*<(?:local-command-|bash-)/;

/** What the line of a summary has. */
export const SUMMARY: readonly string[] = ['"isCompactSummary"'];

/** The entries of a transcript from a byte on, in file order: of all lines, or of those that contain certain text. */
export async function* entriesOf(
  path: string,
  from = 0,
  { holding = HOLDING }: { readonly holding?: readonly string[] } = {},
): AsyncGenerator<Entry> {
  for await (const { text, end } of linesOf(path, { from, holding })) {
    if (NOT_CONVERSATION.test(text)) continue;
    const entry = readEntry(text, end);
    if (entry !== undefined) yield entry;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A line's entry; undefined if it does not matter to turns or is unreadable. */
function readEntry(text: string, end: number): Entry | undefined {
  const line = parse(text);
  const uuid = textOf(line?.["uuid"]);
  if (line === undefined || uuid === undefined) return undefined;
  if (line["isSidechain"] || line["isMeta"]) return undefined;
  const isSummary = line["isCompactSummary"] === true;
  if (line["isVisibleInTranscriptOnly"] && !isSummary) return undefined;
  if (line["isApiErrorMessage"]) return undefined;
  const place: Place = {
    uuid,
    parent: textOf(line["parentUuid"]),
    end,
    at: timeOf(line["timestamp"]),
    session: textOf(line["sessionId"]),
    cwd: textOf(line["cwd"]),
    promptId: textOf(line["promptId"]),
  };
  return isSummary ? readSummary(line, place) : READERS.get(line["type"])?.(line, place);
}

function readSummary(line: Fields, place: Place): Summary {
  const text = textsOf(fieldsOf(line["message"])?.["content"]).map(messageText).join("\n\n");
  return { kind: "summary", ...place, text };
}

/** Readers by line type. */
const READERS: ReadonlyMap<unknown, (line: Fields, place: Place) => Entry | undefined> = new Map([
  ["user", readUser],
  ["assistant", readAssistant],
  ["system", readSystem],
  ["attachment", readAttachment],
]);

function readUser(line: Fields, place: Place): Entry | undefined {
  const content = fieldsOf(line["message"])?.["content"];
  const results = blocksOf(content).filter((block) => block["type"] === "tool_result");
  if (results.length > 0) {
    return {
      kind: "results",
      ...place,
      results: results.map((block) => ({
        call: String(block["tool_use_id"]),
        content: block["content"],
        failed: block["is_error"] === true,
      })),
    };
  }
  const report = readReport(textsOf(content)[0] ?? "");
  if (report !== undefined) return { ...machinePrompt(place), report };
  if (!HUMAN_ORIGINS.includes(line["turnOrigin"])) return machinePrompt(place);
  return readPrompt(content, place);
}

function readPrompt(content: unknown, place: Place): Entry | undefined {
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
  const said = texts.filter((text) => !isSynthetic(text)).map(messageText).filter((text) =>
    text !== ""
  );
  if (said.length === 0 && texts.length > 0) return machinePrompt(place);
  return { kind: "prompt", ...place, text: said.join("\n\n"), isHuman: true };
}

function machinePrompt(place: Place): Prompt {
  return { kind: "prompt", ...place, text: "", isHuman: false };
}

function readAssistant(line: Fields, place: Place): Reply | undefined {
  const message = fieldsOf(line["message"]);
  if (message?.["model"] === "<synthetic>") return undefined; // Claude Code's placeholder for a missing answer
  const blocks = blocksOf(message?.["content"]).flatMap((block): ReplyBlock[] => {
    if (block["type"] === "text") {
      const text = messageText(String(block["text"] ?? ""));
      return text === "" ? [] : [{ kind: "text", text }];
    }
    if (block["type"] !== "tool_use") return [];
    const input = fieldsOf(block["input"]) ?? {};
    return [{ kind: "call", id: String(block["id"]), name: String(block["name"]), input }];
  });
  return { kind: "reply", ...place, message: textOf(message?.["id"]), blocks };
}

function readSystem(line: Fields, place: Place): Mark | undefined {
  const kind = MARKS.get(line["subtype"]);
  return kind === undefined ? undefined : { kind, ...place };
}

/** Reads the attachments that bring the model a person's or subagent's message while it works; others are skipped. */
function readAttachment(line: Fields, place: Place): Entry | undefined {
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

function parse(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The texts of a message's content, which is one text or a list of blocks. */
function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return blocksOf(content).filter((block) => block["type"] === "text").map((block) =>
    String(block["text"] ?? "")
  );
}

function blocksOf(content: unknown): Fields[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.map(fieldsOf).filter((block) => block !== undefined);
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? value as Fields : undefined;
}

/** A time of the transcript; the earliest possible one if it has none. */
function timeOf(value: unknown): string {
  const time = typeof value === "string" ? Date.parse(value) : NaN;
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
