import { visible } from "../text/neutralise.ts";
import { redactBeforeCut } from "../redact/redact.ts";
import { headAndTail } from "../transcript/message_text.ts";
import { wordsOfRefusal } from "../transcript/tool_line.ts";
import type { Step, Turn } from "../transcript/turns.ts";

/** A turn as text for the language model. */
export type TurnText = { readonly turn: Turn; readonly text: string };

/** A piece of a conversation for one LLM call. */
export interface ConversationPiece {
  readonly text: string;
  /** Its turns, by their number in the text. */
  readonly turns: ReadonlyMap<number, Turn>;
}

const PIECE_CHARS = 6000, OVERLAP_CHARS = 500;
/** Maximum bytes of a conversation; a longer one is cut to its end. */
const MAX_BYTES = 100 * 1024;

/** A speaker's label at the beginning of a line; inside a message it is a quotation. */
const SPEAKER = /^(?=\s*(?:user|assistant|tool\b[^:\n]{0,100}):)/gim;

/**
 * A turn as text: prompt, replies, and each tool call with its result on one line. Invisible characters are removed: a
 * page can hide text in them, and a key that contains one is not recognized.
 */
export function tell({ prompt, steps }: Turn): string {
  const said = prompt === "" ? [] : [`User: ${quoted(shortened(prompt))}`];
  return [...said, ...steps.map(line)].join("\n\n");
}

/** Maximum characters of a message. Typed ones are shorter; head and tail of a paste identify it and hold the question. */
const MAX_SAID = 8000;

/** The head and tail of a long text, redacted first because a cut can remove what identifies a secret. */
function shortened(text: string): string {
  if (text.length <= MAX_SAID) return text;
  const own = redactBeforeCut(text);
  return headAndTail(own, MAX_SAID, `[… ${own.length - MAX_SAID} characters …]`);
}

/** A text with its speaker labels quoted, so that it cannot begin another message. */
function quoted(text: string): string {
  return visible(text).replace(SPEAKER, "> ");
}

/** The last turns that fit into one capture; a longer turn is cut to its end. */
export function lastTurns(turns: readonly TurnText[]): TurnText[] {
  const kept: TurnText[] = [];
  let left = MAX_BYTES;
  for (const { turn, text } of turns.toReversed()) {
    const bytes = Buffer.from(text);
    const end = bytes.subarray(-left).toString("utf8").replace(/^\ufffd+/, ""); // whole characters
    kept.unshift({ turn, text: bytes.length <= left ? text : end });
    left -= bytes.length;
    if (left <= 0) break;
  }
  return kept;
}

/**
 * Cuts a conversation into pieces of about 6,000 characters. Whole turns stay together if they fit; a turn longer than
 * a piece is cut, and each part repeats 500 characters of the one before.
 */
export function pieces(turns: readonly TurnText[]): ConversationPiece[] {
  const parts = turns.flatMap(({ turn, text }, i) =>
    cut(text).map((part) => ({ number: i + 1, turn, text: block(i + 1, turn, part) }))
  );
  const groups: (typeof parts)[] = [];
  let size = Infinity;
  for (const part of parts) {
    if (size + part.text.length > PIECE_CHARS) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(part);
    size += part.text.length;
  }
  return groups.map((group) => ({
    text: group.map(({ text }) => text).join("\n\n"),
    turns: new Map(group.map(({ number, turn }) => [number, turn])),
  }));
}

function line(step: Step): string {
  if (step.kind === "text") return `Assistant: ${quoted(shortened(step.text))}`;
  const refusal = wordsOfRefusal(step);
  if (refusal !== undefined) {
    const call = visible(`Tool ${step.name} was refused by the user: ${step.input}`);
    return `${call}\n\nUser: ${quoted(refusal)}`;
  }
  const { name, input, failed, result } = step;
  return visible(`Tool ${name}${failed ? " failed" : ""}: ${input} → ${result}`);
}

/** Cuts a text into parts that leave room for the lines around them, at line ends if possible. */
function cut(text: string): string[] {
  const longest = PIECE_CHARS - 100;
  const parts: string[] = [];
  for (let start = 0;;) {
    if (text.length - start <= longest) return [...parts, text.slice(start).toWellFormed()];
    const newline = text.lastIndexOf("\n", start + longest);
    const end = newline > start + longest / 2 ? newline : start + longest;
    parts.push(text.slice(start, end).toWellFormed());
    start = end - OVERLAP_CHARS;
  }
}

/** A turn's block, with the text escaped so that it can neither close it nor open another. */
function block(number: number, { at }: Turn, text: string): string {
  const inert = text.replace(/<(?=\/?turn\b)/gi, "&lt;");
  return `<turn number="${number}" at="${at}">\n${inert}\n</turn>`;
}

/** The lines of a note, each set in, without empty ones. */
export function indented(text: string): string[] {
  return text.trim().split("\n").filter((line) => line.trim() !== "").map((line) => `    ${line}`);
}
