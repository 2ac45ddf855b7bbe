import { writeSync } from "node:fs";
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Writes data to stdout, all of it, also into a pipe that is slow to read. */
export function out(text: string): void {
  writeAll(1, text);
}

/** Writes a line for people to stderr. */
export function say(line: string): void {
  writeAll(2, line + "\n");
}

/** Characters that JSON lets through and a terminal obeys. */
const STEERING = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Writes a value as one JSON document to stdout; nothing in it steers a terminal that it is read on. */
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

/** Rows as aligned columns, two spaces apart; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, cell.length));
  }
  const line = (row: readonly string[]) =>
    row.map((cell, i) => i === row.length - 1 ? cell : cell.padEnd(widths[i]!)).join("  ")
      .trimEnd();
  return rows.map((row) => line(row) + "\n").join("");
}

function writeAll(fd: number, text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === "EPIPE") return; // the reader (`| head`) has had enough
      if (code !== "EAGAIN") throw error;
    }
  }
}
