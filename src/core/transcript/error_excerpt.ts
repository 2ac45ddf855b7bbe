import { redactBeforeCut } from "../redact/redact.ts";
import { wholeWords } from "../text/whole_words.ts";

/** Lines with a command's outcome: errors, failing tests, expected values. */
const DECISIVE =
  /\b(?:error|errors|exception|panic(?:ked)?|traceback|fail(?:s|ed|ing|ure|ures)?|fatal|denied|refused|not found|cannot|can't|could not|undefined|unexpected|expected|received|actual|assert\w*|segfault|timed? ?out|timeout|conflict|no such|deprecated|vulnerabilit\w+|exit (?:code|status)|\d+ (?:passed|passing|tests?))\b|[✗✕✘×❌]|^not ok|^\s*(?:E\s{2,}|-->|at \S+:\d+)/i;
/** Lines that add nothing to the one before. */
const STACK = /^\s*at /;
/** How much of the head and tail of a longer result is read. */
const HEAD_CHARS = 8 * 1024;
const TAIL_CHARS = 16 * 1024;
const LINE_CHARS = 240;
const GAP = " … ";
/** Stands for a line that begins with a longer word, which may be a part of a secret. */
const LONG_WORD = "…";

/**
 * The excerpt of a tool's long result that says what went wrong, on one line of at most `max` characters: its beginning, the lines with
 * errors and its end, in their order.
 */
export function errorExcerpt(text: string, max: number): string {
  const { lines, chosen } = choose(text, max);
  return chosen.length === 0 ? wholeWords(lines[0] ?? "", max) : joined(lines, chosen);
}

/** The same as lines. */
export function errorLines(text: string, max: number): string[] {
  const { lines, chosen } = choose(text, max);
  return chosen.length === 0 ? [wholeWords(lines[0] ?? "", max)] : chosen.map((i) => lines[i]!);
}

/** The lines of a text, and which of them are decisive. */
function choose(text: string, max: number): { lines: string[]; chosen: number[] } {
  const isLong = text.length > HEAD_CHARS + TAIL_CHARS;
  const looked = isLong ? `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}` : text;
  const lines = redactBeforeCut(looked.toWellFormed()).split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "")
    .map((line) => wholeWords(line, LINE_CHARS) || LONG_WORD);
  const chosen = new Set<number>();
  let left = max;
  const take = (i: number, line: string) => {
    const cost = line.length + GAP.length;
    if (chosen.has(i) || cost > left) return;
    chosen.add(i);
    left -= cost;
  };
  for (const i of order(lines)) take(i, lines[i]!);
  return { lines, chosen: [...chosen].sort((a, b) => a - b) };
}

/** The first line, the decisive ones and the last; then the others in order, as far as they fit. */
function order(lines: readonly string[]): number[] {
  if (lines.length === 0) return [];
  const decisive = lines.flatMap((line, i) => DECISIVE.test(line) && !STACK.test(line) ? [i] : []);
  return [0, ...decisive, lines.length - 1, ...lines.keys()];
}

function joined(lines: readonly string[], chosen: readonly number[]): string {
  const parts = chosen.map((line, i) => {
    const follows = i === 0 || line === chosen[i - 1]! + 1;
    return `${i === 0 ? "" : follows ? " " : GAP}${lines[line]}`;
  });
  return parts.join("") + (chosen.at(-1) === lines.length - 1 ? "" : "…");
}
