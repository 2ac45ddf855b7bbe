import { writeSync } from "node:fs";
import { stripVTControlCharacters, styleText } from "node:util";
import { visible } from "../text/neutralise.ts";

type Style = Parameters<typeof styleText>[0];

/** Writes data to stdout, completely, even into a slow pipe. */
export function out(text: string): void {
  writeAll(1, text);
}

/** Writes a line to stderr, without control characters that could steer the terminal. */
export function say(line: string): void {
  writeAll(2, visible(line) + "\n");
}

/** Characters that JSON leaves unescaped and terminals act on. */
const STEERING = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Writes a value as one JSON document to stdout, with control characters escaped. */
export function outJson(value: unknown): void {
  const json = JSON.stringify(value, null, 2).replace(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  out(json + "\n");
}

/** Colours text where stdout is a terminal and `NO_COLOR` is not set. */
export function paint(style: Style, text: string): string {
  const plain = !process.stdout.isTTY || !!process.env["NO_COLOR"];
  return plain ? text : styleText(style, text, { validateStream: false });
}

/** A column that has less room than this is left to the terminal to break. */
const MIN_WIDTH = 20;

/**
 * Rows as aligned columns, two spaces apart; the last column is not padded, and on a terminal that is too narrow for it
 * broken between words.
 */
export function columns(
  rows: readonly (readonly string[])[],
  room: number = process.stdout.isTTY ? process.stdout.columns : Infinity,
): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, widthOf(cell)));
  }
  const pad = (row: readonly string[]) =>
    row.map((cell, i) => cell + " ".repeat(widths[i]! - widthOf(cell))).join("  ");
  const line = (row: readonly string[]) => {
    const before = row.slice(0, -1);
    const indent = before.reduce((sum, _, i) => sum + widths[i]! + 2, 0);
    const last = wrap(row.at(-1) ?? "", room - indent).join(`\n${" ".repeat(indent)}`);
    return pad(before).concat(before.length > 0 ? "  " : "", last).trimEnd();
  };
  return rows.map((row) => line(row) + "\n").join("");
}

/** A text as lines of some width, broken at spaces. */
function wrap(text: string, width: number): string[] {
  if (width < MIN_WIDTH || widthOf(text) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Emoji, and the letters of Chinese, Japanese and Korean, take two columns (UAX #11, wide and fullwidth). */
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\ufe0f/u;

/** How many columns of a terminal a text takes; colours take none. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(plain)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

function writeAll(fd: number, text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === "EPIPE") return; // the reader has closed the pipe, as `| head` does
      if (code !== "EAGAIN") throw error;
    }
  }
}
