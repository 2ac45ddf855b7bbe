import { writeSync } from "node:fs";
import { visible } from "../../text/neutralise.ts";

export { columns } from "../../text/columns.ts";
export { paint } from "../../text/paint.ts";

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
