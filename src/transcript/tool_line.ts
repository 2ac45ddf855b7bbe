import { redactBeforeCut } from "../redact/redact.ts";
import { decisivePart } from "./decisive_part.ts";
import { wholeWords } from "../text/whole_words.ts";
import { isInternal, SUBAGENT_TOOLS } from "./subagent_report.ts";

/** Inputs are cut here, … */
const MAX_CHARS = 200;
/** … results here, … */
const MAX_RESULT_CHARS = 600;
/** … but not words: what the user said in one, to a question or to go on instead, or a subagent's report. */
const MAX_SAID_CHARS = 2000;

/** The field of a tool's input that says most; of a tool with none of them all of it is shown. */
const TELLING = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "url",
  "query",
  "description",
  "skill",
];
/** Ends the words that Claude Code puts before the user's own, when a call was refused. */
const REFUSED =
  /To tell you how to proceed, the user said:|[Tt]he user provided the following reason for the rejection:/;
const REFUSED_LINE = "Refused; the user said:";
/** Tools whose result is what the user chose. */
const ASKING = ["AskUserQuestion"];
/** Tools whose result somebody has written for the model to read. */
const MOSTLY_WORDS = [...ASKING, ...SUBAGENT_TOOLS];
/** Calls that show memo's own notes: what they print must not be learned again. */
const MEMO_TOOL = /^mcp__(?:plugin_memo_)?memo__/;
const MEMO_COMMAND = /(?:^|[\s;&|(/])memo(?:\.exe)?\s+[a-z]/;
const MEMORY_FILE = /[\\/]memory[\\/](?:.*[\\/])?[^\\/]+\.md$/;

type Input = Readonly<Record<string, unknown>>;

/** Whether a call's result is what the user said. */
export function isUsersWord(
  { name, result }: { readonly name: string; readonly result: string },
): boolean {
  return ASKING.includes(name) || result.startsWith(REFUSED_LINE);
}

/** What the user said when a call was refused; undefined when it was not, or without a word. */
export function wordsOfRefusal({ result }: { readonly result: string }): string | undefined {
  const words = result.startsWith(REFUSED_LINE) ? result.slice(REFUSED_LINE.length).trim() : "";
  return words === "" ? undefined : words;
}

/** What a tool was called with, on one line. */
export function inputLine(input: Input): string {
  const field = TELLING.find((name) => typeof input[name] === "string");
  return oneLine(field === undefined ? JSON.stringify(input) : String(input[field]), MAX_CHARS);
}

/** What came of a call, on one line; nothing of a call that reads memo's own notes. */
export function resultLine(content: unknown, name: string, input: Input): string {
  if (showsMemory(name, input)) return "";
  const text = resultText(content, SUBAGENT_TOOLS.includes(name) ? isInternal : () => false);
  const refused = REFUSED.exec(text.slice(0, MAX_SAID_CHARS));
  if (refused !== null) {
    const said = text.slice(refused.index + refused[0].length);
    return `${REFUSED_LINE} ${oneLine(said, MAX_SAID_CHARS)}`;
  }
  if (MOSTLY_WORDS.includes(name)) return oneLine(text, MAX_SAID_CHARS);
  return text.length > MAX_RESULT_CHARS
    ? decisivePart(text, MAX_RESULT_CHARS)
    : oneLine(text, MAX_RESULT_CHARS);
}

function showsMemory(name: string, input: Input): boolean {
  if (MEMO_TOOL.test(name)) return true;
  if (name === "Bash") return MEMO_COMMAND.test(String(input["command"] ?? ""));
  return name === "Read" && MEMORY_FILE.test(String(input["file_path"] ?? ""));
}

/** The text of a result, but for the parts that are not the tool's own. */
function resultText(content: unknown, isForeign: (text: string) => boolean): string {
  if (typeof content === "string") return isForeign(content) ? "" : content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => {
    if (block?.type === "text") return isForeign(block.text) ? "" : String(block.text ?? "");
    return block?.type === "image" ? "[image]" : "";
  }).join(" ");
}

/** A text on one line. A long one is cut before its blanks are looked at: it may have many megabytes. */
function oneLine(text: string, max: number): string {
  const head = wholeWords(text, 10 * max);
  // Where lines end tells where a secret does.
  const line = redactBeforeCut(head).replace(/\s+/g, " ").trim().toWellFormed();
  const isCut = line.length > max || head.length < text.length;
  return isCut ? wholeWords(line, max - 1).trimEnd() + "…" : line;
}
