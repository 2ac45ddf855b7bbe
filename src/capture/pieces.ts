import { visible } from "../text/neutralise.ts";
import { redactBeforeCut } from "../redact/redact.ts";
import { wholeWords, wholeWordsAtEnd } from "../text/whole_words.ts";
import { wordsOfRefusal } from "../transcript/tool_line.ts";
import type { Step, Turn } from "../transcript/turn.ts";

/** A turn as it is shown to the language model. */
export interface Told {
  readonly turn: Turn;
  readonly text: string;
}

/** A piece of a conversation for one question. */
export interface Piece {
  readonly text: string;
  /** The turns in it, by the number they have in the text. */
  readonly turns: ReadonlyMap<number, Turn>;
}

const PIECE_CHARS = 6000;
const OVERLAP_CHARS = 500;
/** Of a longer conversation only the end is taken, in bytes. */
const MAX_BYTES = 100 * 1024;

/** Who speaks, where a line begins with it; within what somebody says it is a quotation. */
const SPEAKER = /^(?=\s*(?:user|assistant|tool\b[^:\n]{0,100}):)/gim;

/**
 * What a turn says, as text: prompt, replies, and each tool call with its result on one line. Without what cannot be
 * seen: a page may hide something in it, and a key that has it inside is not known as one.
 */
export function tell({ prompt, steps }: Turn): string {
  const said = prompt === "" ? [] : [`User: ${quoted(shortened(prompt))}`];
  return [...said, ...steps.map(line)].join("\n\n");
}

/** What a person types is shorter; of a paste the head and the tail say what it is, and the question is there. */
const MAX_SAID = 8000;

/** The head and the tail of a long text. What gives a secret away may be cut off, so those go first. */
function shortened(text: string): string {
  if (text.length <= MAX_SAID) return text;
  const own = redactBeforeCut(text);
  const half = MAX_SAID / 2;
  return `${wholeWords(own, half)}\n[… ${own.length - MAX_SAID} characters …]\n${
    wholeWordsAtEnd(own, half)
  }`;
}

/** A text in which nobody else begins to speak. */
function quoted(text: string): string {
  return visible(text).replace(SPEAKER, "> ");
}

/** The last turns that are not too much for one capture; of a longer one its end. */
export function lastTurns(told: readonly Told[]): Told[] {
  const kept: Told[] = [];
  let left = MAX_BYTES;
  for (const { turn, text } of told.toReversed()) {
    const bytes = Buffer.from(text);
    kept.unshift({ turn, text: bytes.length <= left ? text : endOf(bytes, left) });
    left -= bytes.length;
    if (left <= 0) break;
  }
  return kept;
}

/**
 * A conversation in pieces of about 6,000 characters: whole turns as long as they fit; a turn that is longer than a piece is
 * cut, and each part repeats 500 characters of the one before.
 */
export function pieces(told: readonly Told[]): Piece[] {
  const parts = told.flatMap(({ turn, text }, i) =>
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
  return visible(
    `Tool ${step.name}${step.failed ? " failed" : ""}: ${step.input} → ${step.result}`,
  );
}

/** The last bytes of a text, from a whole character on. */
function endOf(bytes: Buffer, count: number): string {
  return bytes.subarray(bytes.length - count).toString("utf8").replace(/^\ufffd+/, "");
}

/** A text in parts that leave room for the lines around them, cut at the end of a line where there is one. */
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

/** Nothing in a turn may close it or open another. */
function block(number: number, { at }: Turn, text: string): string {
  return `<turn number="${number}" at="${at}">\n${
    text.replace(/<(?=\/?turn\b)/gi, "&lt;")
  }\n</turn>`;
}
