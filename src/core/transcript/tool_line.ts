import { redactBeforeCut } from "../redact/redact.ts";
import { wholeWords } from "../text/whole_words.ts";
import { INTERNAL, SUBAGENT_TOOLS } from "./subagent_report.ts";
import { MEMO_TOOLS } from "../../../hooks/events.ts";
import { writesMemories } from "../link/tools.ts";

/** Maximum characters of an input, of a result, and of words: an answer to a question, a refusal's reason, a report. */
const MAX_CHARS = 200, MAX_RESULT_CHARS = 600, MAX_SAID_CHARS = 2000;

/** The most informative fields of a tool's input; an input with none of them is shown whole. */
const TELLING = "command file_path notebook_path pattern url query description skill".split(" ");
/** Claude Code's preface to the user's words when a call was refused; elsewhere in a result it says nothing of theirs. */
const REFUSED =
  /^\s*(?:<tool_use_error>)?(?:Error: )?(?:The (?:user|agent|tool)|Permission)\b[^]*?(?:To tell you how to proceed, the user said:|[Tt]he user provided the following reason for the rejection:)/;
const REFUSED_LINE = "Refused; the user said:";
/** Tools whose result is the user's choice. */
const ASKING = ["AskUserQuestion"];
/** Tools whose result is text written for the model. */
const MOSTLY_WORDS = [...ASKING, ...SUBAGENT_TOOLS];
/** Calls that show memo's own notes, whose output must not be learned again. */
const MEMO_COMMAND = /(?:^|[\s;&|(/])memo(?:\.exe)?\s+[a-z]/;
const MEMORY_FILE = /[\\/]memory[\\/](?:.*[\\/])?[^\\/]+\.md$/;

type Input = Readonly<Record<string, unknown>>;
type FinishedTool = Readonly<{ name: string; result: string; failed: boolean }>;

/** Whether a call's result is the user's words; a server that the call went to can fail with any text. */
export function isUsersWord({ name, result, failed }: FinishedTool): boolean {
  const isRefusal = failed && !name.startsWith("mcp__") &&
    (result.startsWith(REFUSED_LINE) || REFUSED.test(result.slice(0, MAX_SAID_CHARS)));
  return isRefusal || ASKING.includes(name);
}

/** The user's words in refusing a call; undefined if it was not refused, or without words. */
export function wordsOfRefusal({ result }: FinishedTool): string | undefined {
  const words = result.startsWith(REFUSED_LINE) ? result.slice(REFUSED_LINE.length).trim() : "";
  return words === "" ? undefined : words;
}

/** A tool's input, on one line. */
export function inputLine(input: Input): string {
  const field = TELLING.find((name) => typeof input[name] === "string");
  return oneLine(field === undefined ? JSON.stringify(input) : String(input[field]), MAX_CHARS);
}

/** A call's result, on one line; empty for a call that reads memo's own notes. */
export function resultLine(content: unknown, name: string, input: Input): string {
  if (showsMemory(name, input)) return "";
  const text = resultText(content, SUBAGENT_TOOLS.includes(name) ? INTERNAL : undefined);
  const refused = REFUSED.exec(text.slice(0, MAX_SAID_CHARS));
  if (refused !== null) {
    const said = text.slice(refused.index + refused[0].length);
    return `${REFUSED_LINE} ${oneLine(said, MAX_SAID_CHARS)}`;
  }
  if (MOSTLY_WORDS.includes(name)) return oneLine(text, MAX_SAID_CHARS);
  return text.length > MAX_RESULT_CHARS
    ? errorExcerpt(text, MAX_RESULT_CHARS)
    : oneLine(text, MAX_RESULT_CHARS);
}

function showsMemory(name: string, input: Input): boolean {
  if (isMemoTool(name)) return true;
  if (name === "Bash") return MEMO_COMMAND.test(String(input["command"] ?? ""));
  return name === "Read" && MEMORY_FILE.test(String(input["file_path"] ?? ""));
}

/** The text of a result without the parts that are not the tool's own. */
export function resultText(content: unknown, foreign = /(?!)/): string {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(parts)) return "";
  return parts.map((part) => {
    if (part?.type === "text") return foreign.test(part.text) ? "" : String(part.text ?? "");
    return part?.type === "image" ? "[image]" : "";
  }).join(" ");
}

/** A text on one line; it may have many megabytes, so it is cut before whitespace is collapsed. */
function oneLine(text: string, max: number): string {
  const head = wholeWords(text, 10 * max);
  // Redact first: some secrets end at a line break.
  const line = redactBeforeCut(head).replace(/\s+/g, " ").trim().toWellFormed();
  const isCut = line.length > max || head.length < text.length;
  return isCut ? wholeWords(line, max - 1).trimEnd() + "…" : line;
}

/** Lines with a command's outcome: errors, failing tests, expected values. */
const DECISIVE =
  /\b(?:error|errors|exception|panic(?:ked)?|traceback|fail(?:s|ed|ing|ure|ures)?|fatal|denied|refused|not found|cannot|can't|could not|undefined|unexpected|expected|received|actual|assert\w*|segfault|timed? ?out|timeout|conflict|no such|deprecated|vulnerabilit\w+|exit (?:code|status)|\d+ (?:passed|passing|tests?))\b|[✗✕✘×❌]|^not ok|^\s*(?:E\s{2,}|-->|at \S+:\d+)/i;
const STACK = /^\s*at /;
/** How much of the head and tail of a longer result is read. */
const HEAD_CHARS = 8 * 1024, TAIL_CHARS = 16 * 1024;
const LINE_CHARS = 240, GAP = " … ";
/** Stands for a line that begins with a longer word, which may be a part of a secret. */
const LONG_WORD = "…";

/**
 * The excerpt of a tool's long result that says what went wrong, on one line of at most `max` characters: its beginning, the lines with
 * errors and its end, in their order.
 */
export function errorExcerpt(text: string, max: number): string {
  const { lines, chosen } = choose(text, max);
  if (chosen.length === 0) return wholeWords(lines[0] ?? "", max);
  const parts = chosen.map((line, i) =>
    `${i === 0 ? "" : line === chosen[i - 1]! + 1 ? " " : GAP}${lines[line]}`
  );
  return parts.join("") + (chosen.at(-1) === lines.length - 1 ? "" : "…");
}

/** The same as lines. */
export function errorLines(text: string, max: number): string[] {
  const { lines, chosen } = choose(text, max);
  return chosen.length === 0 ? [wholeWords(lines[0] ?? "", max)] : chosen.map((i) => lines[i]!);
}

/** The lines of a text, and which to show: the first, decisive ones, the last; then others in order, as far as they fit. */
function choose(text: string, max: number): { lines: string[]; chosen: number[] } {
  const isLong = text.length > HEAD_CHARS + TAIL_CHARS;
  const looked = isLong ? `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}` : text;
  const lines = redactBeforeCut(looked.toWellFormed()).split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "")
    .map((line) => wholeWords(line, LINE_CHARS) || LONG_WORD);
  const chosen = new Set<number>();
  let left = max;
  const decisive = lines.flatMap((line, i) => DECISIVE.test(line) && !STACK.test(line) ? [i] : []);
  for (const i of [0, ...decisive, lines.length - 1, ...lines.keys()]) {
    const cost = (lines[i]?.length ?? Infinity) + GAP.length;
    if (chosen.has(i) || cost > left) continue;
    chosen.add(i);
    left -= cost;
  }
  return { lines, chosen: [...chosen].sort((a, b) => a - b) };
}

const MEMO_TOOL = new RegExp(`^${MEMO_TOOLS}$`);

/** Whether a tool is one of `memo mcp`. */
export function isMemoTool(name: string): boolean {
  return MEMO_TOOL.test(name);
}

/** Whether a call has saved, changed or forgotten a memory. */
export function changesMemory({ name, failed }: FinishedTool): boolean {
  return !failed && isMemoTool(name) && writesMemories(name) === true;
}
