// What the lines of a transcript are, as far as capture looks at them. The format is Claude Code's own and changes:
// whatever is not understood is passed over. Not looked at: subagents' conversations, lines that the user does not see
// (`isMeta`), attachments (among them what memo itself gave the model), images, and what the model thought.

import { isMachineMade } from "./machine_made.ts";
import { linesOf } from "./lines.ts";
import { spoken } from "./spoken.ts";
import { readReport, type SubagentReport } from "./subagent_report.ts";

/** A line of a transcript that says something about turns. */
export type Entry = Prompt | Reply | Results | Mark | Summary | Report;

interface Place {
  /** Names the line; a fork's copy has the same. */
  readonly uuid: string;
  /** The line that this one follows in the conversation, which is not always the one above it. */
  readonly parent: string | undefined;
  /** Where the line ends in the file, in bytes. */
  readonly end: number;
  readonly at: string;
  readonly session: string | undefined;
  readonly cwd: string | undefined;
}

/** A turn begins. */
export interface Prompt extends Place {
  readonly kind: "prompt";
  /** What a person wrote; empty when Claude Code made the prompt. */
  readonly text: string;
  /** Whether it is worth something without a reply. */
  readonly isHuman: boolean;
  /** What a subagent has reported, where that is the prompt. */
  readonly report?: SubagentReport | undefined;
}

/** The model says or calls something: a block of a message, or several. */
export interface Reply extends Place {
  readonly kind: "reply";
  /** The message that the blocks belong to: Claude Code writes one line a block. */
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

/** What came of tool calls. */
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

/** A subagent in the background has ended while the model was working. */
export interface Report extends Place {
  readonly kind: "report";
  readonly report: SubagentReport;
}

/** The turn is over, or the conversation so far has been replaced by its summary. */
export interface Mark extends Place {
  readonly kind: "over" | "compacted";
}

/** What the conversation was replaced by; it repeats what was said before. */
export interface Summary extends Place {
  readonly kind: "summary";
  readonly text: string;
  /** The prompt in which the conversation was summarised. */
  readonly promptId: string | undefined;
}

/** Lines of these types open with it, and quote the conversation. */
const NOT_CONVERSATION = /^\{"type": ?"(?!user|assistant|system|attachment)/;
/** What some `system` lines mean, by subtype. */
const MARKS: ReadonlyMap<unknown, Mark["kind"]> = new Map([
  ["stop_hook_summary", "over"],
  ["turn_duration", "over"],
  ["compact_boundary", "compacted"],
]);
/** A line with none of these is not even decoded. */
const HOLDING = ["user", "assistant", "queued_command", ...MARKS.keys()].map((word) => `"${word}"`);
/** Values of `turnOrigin` that mean a person, or a program that speaks for one. */
const HUMAN_ORIGINS: readonly unknown[] = [undefined, "human", "sdk"];
const INTERRUPTED = /^\[Request interrupted by user/;
const COMMAND = /<command-name>([^<]*)<\/command-name>/;
const COMMAND_ARGS = /<command-args>([^]*?)<\/command-args>/;
/** What is no prompt but tells what a command printed. */
const COMMAND_OUTPUT = /^\s*<(?:local-command-|bash-)/;

/** The entries of a transcript from a byte on, in the order of the file. */
export async function* entriesOf(path: string, from = 0): AsyncGenerator<Entry> {
  for await (const { text, end } of linesOf(path, { from, holding: HOLDING })) {
    if (NOT_CONVERSATION.test(text)) continue;
    const entry = readEntry(text, end);
    if (entry !== undefined) yield entry;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** What a line says; undefined when it says nothing about turns, or cannot be read. */
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
  };
  return isSummary ? readSummary(line, place) : READERS.get(line["type"])?.(line, place);
}

function readSummary(line: Fields, place: Place): Summary {
  const text = textsOf(fieldsOf(line["message"])?.["content"]).map(spoken).join("\n\n");
  return { kind: "summary", ...place, text, promptId: textOf(line["promptId"]) };
}

/** How a line of each type is read. */
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
  const command = isMachineMade(first) ? COMMAND.exec(first)?.[1] : undefined;
  if (command !== undefined) {
    const args = COMMAND_ARGS.exec(first)?.[1] ?? "";
    const text = spoken(`${command.trim()} ${args}`);
    return { kind: "prompt", ...place, text, isHuman: false };
  }
  const said = texts.filter((text) => !isMachineMade(text)).map(spoken).filter((text) =>
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
  if (message?.["model"] === "<synthetic>") return undefined; // Claude Code says that there is no answer
  const blocks = blocksOf(message?.["content"]).flatMap((block): ReplyBlock[] => {
    if (block["type"] === "text") {
      const text = spoken(String(block["text"] ?? ""));
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

/** What a person or a subagent wrote while the model was working reaches it in an attachment; others do not count. */
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

/** A time of the transcript; the beginning of all time when it says none. */
function timeOf(value: unknown): string {
  const time = typeof value === "string" ? Date.parse(value) : NaN;
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
