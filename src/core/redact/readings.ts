// Transformations of a text that can reveal a secret: joined strings and lines, characters written as others,
// base64-decoded.

import { Buffer } from "node:buffer";
import type { SecretSpan } from "./spans.ts";

/** A transformed text, with the origin of its characters. */
export interface TextReading {
  readonly text: string;
  /** The position of a stretch of this text in the original. */
  originOf(start: number, end: number): Pick<SecretSpan, "start" | "end">;
}

/** Between two halves of a string: `"ab" + "cd"`, `'ab' . 'cd'`, `["ab", "cd"].join("")`, `ab${"cd"}`, a line's backslash. */
const JOINT =
  /["'`]\s{0,40}[+.&]\s{0,40}["'`]|["'`]\s{0,8},\s{0,40}["'`](?=[^\]]{0,400}\]\.join\((?:""|''|``)\))|\$\{["'](?=[^"'\n]{1,200}["']\})|(?<=\$\{["'][^"'\n]{1,200})["']\}|["']\s{0,8}\\?\r?\n\s{0,40}["']|(?<=[\w+/=.~-]{4})\\\r?\n[ \t]{0,40}/g;
/** A line break within text that is not prose. In a diff, a quotation or a comment the next line begins with a sign. */
const WRAP =
  /(?<=[\w+/=.~-]{4})-?[ \t]{0,2}\r?\n[ \t]{0,40}(?:[>|+#*]{1,2}|\/\/)?[ \t]{0,4}(?=[\w+/=.~-]{4})(?=[\w+/=.~-]{0,100}?(?:\d|[a-z][A-Z]|[A-Z]{2}))/g;
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
/** Colours of a terminal: escape sequences, also escaped themselves or without the control character. */
// deno-lint-ignore no-control-regex
const COLOURS = /(?:\x1b|\\x1b|\\u001b|\\033|\\e)?\[\d{0,3}(?:;\d{1,3}){0,8}m/gi;
/** JSON in a string of JSON: `\"password\": \"…\"`. */
const ESCAPES = /\\{1,7}(?=["'])/g;
/** What hides or splits a secret. To add a form, add it here. */
const LEFT_OUT: readonly RegExp[] = [JOINT, UNSEEN, COLOURS, ESCAPES];
/** Entities of HTML that stand between a name and its value, or around it. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", apos: "'", colon: ":", equals: "=", gt: ">", lt: "<", nbsp: " ", quot: '"' },
};
/** Characters that are written as others, and what they are read as. To add a form, add it here. */
const WRITTEN_AS:
  readonly (readonly [pattern: RegExp, char: (match: RegExpExecArray) => string])[] = [
    [/%(?:25)?([0-9a-f]{2})/gi, ([, code]) => String.fromCharCode(parseInt(code!, 16))],
    [
      /&#(?:x([0-9a-f]{2,4})|(\d{2,5}));/gi,
      ([, hex, code]) => String.fromCharCode(hex ? parseInt(hex, 16) : Number(code)),
    ],
    [
      new RegExp(`&(?:amp;)?(${Object.keys(ENTITIES).join("|")});`, "gi"),
      ([, name]) => ENTITIES[name!.toLowerCase()]!,
    ],
    // A table in HTML, as lines with bars.
    [
      /<(\/?)t([rdh])\b[^<>]{0,100}>(?:\s{0,40}(?=<))?/gi,
      ([, closes, name]) => closes ? name === "r" ? "\n" : "|" : "",
    ],
    // Lines and columns in a string of JSON or of code.
    [/\\[rnt]/g, ([escape]) => escape === "\\t" ? "\t" : "\n"],
    // Full-width, as an input method for Chinese or Japanese writes them.
    [/[\uff01-\uff5e]/g, ([char]) => String.fromCharCode(char.charCodeAt(0) - 0xfee0)],
  ];
/** Base64 of 16 bytes or more, in either alphabet; if it ends a path, it includes the path. */
const BASE64 = /(?<![\w+/=-])[\w+/-]{22,20000}={0,2}(?![\w+/=-])/g;
const SHORTEST = 22, MAX_DECODED = 512 * 1024;

/** How much text to read on both sides of a change. */
const AROUND = 700;

/** The readings of a text that differ from it, around the differences. */
export function readingsOf(text: string): TextReading[] {
  return [
    ...LEFT_OUT.map((each) => replaced(text, each)),
    ...WRITTEN_AS.map(([pattern, char]) => replaced(text, pattern, char)),
    unpacked(text),
  ].filter((reading) => reading !== undefined);
}

/** A text with possibly wrapped lines joined; words can run together in it. */
export function unwrapped(text: string): TextReading | undefined {
  return replaced(text, WRAP);
}

interface ReadingPiece {
  /** Its start in the reading … */
  readonly at: number;
  readonly length: number;
  /** … and in the original, with its length there. */
  readonly start: number;
  readonly taken: number;
}

function replaced(
  text: string,
  pattern: RegExp,
  value: (match: RegExpExecArray) => string = () => "",
): TextReading | undefined {
  const pieces: ReadingPiece[] = [];
  let result = "";
  let from = 0;
  const add = (part: string, start: number, taken = part.length) => {
    if (taken === 0) return;
    pieces.push({ at: result.length, length: part.length, start, taken });
    result += part;
  };
  for (const match of text.matchAll(pattern)) {
    const { index } = match;
    if (from === 0 || index - from > 2 * AROUND) {
      if (from > 0) add(text.slice(from, from + AROUND), from);
      result += "\n\n";
      from = Math.max(from, index - AROUND);
    }
    add(text.slice(from, index), from);
    add(value(match), index, match[0].length);
    from = index + match[0].length;
  }
  if (from === 0) return undefined;
  add(text.slice(from, from + AROUND), from);
  return readingOf(result, pieces);
}

/** All base64 that decodes to text, concatenated. */
function unpacked(text: string): TextReading | undefined {
  const pieces: ReadingPiece[] = [];
  let result = "";
  for (const { 0: run, index } of text.matchAll(BASE64)) {
    for (const packed of new Set([run, ...run.split("/")])) {
      const inside = packed.length < SHORTEST ? undefined : textIn(packed);
      if (inside === undefined || result.length > MAX_DECODED) continue;
      const start = index + run.lastIndexOf(packed);
      pieces.push({ at: result.length, length: inside.length, start, taken: packed.length });
      result += inside + "\n\n";
    }
  }
  return pieces.length === 0 ? undefined : readingOf(result, pieces);
}

function textIn(packed: string): string | undefined {
  if (/^[a-z]+$|^[A-Z_]+$|^[0-9a-f-]+$/.test(packed)) return undefined; // a word
  const bytes = Buffer.from(packed, /[-_]/.test(packed) ? "base64url" : "base64");
  const inside = bytes.toString("utf8");
  // deno-lint-ignore no-control-regex
  return /[\u0000-\u0008\u000e-\u001f\ufffd]/.test(inside) ? undefined : inside;
}

function readingOf(text: string, pieces: readonly ReadingPiece[]): TextReading {
  const pieceAt = (place: number) => {
    let low = 0;
    for (let high = pieces.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (pieces[middle]!.at <= place) low = middle;
      else high = middle - 1;
    }
    return pieces[low]!;
  };
  return {
    text,
    originOf(start, end) {
      const [first, last] = [pieceAt(start), pieceAt(end - 1)];
      const isSame = ({ length, taken }: ReadingPiece) => length === taken;
      return {
        start: first.start + (isSame(first) ? start - first.at : 0),
        end: last.start + (isSame(last) ? end - last.at : last.taken),
      };
    },
  };
}
