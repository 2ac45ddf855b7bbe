// Files with one JSON document per line: the log, receipts, spending.

import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { rotated } from "../../paths.ts";
import { parsed, textAt } from "./there.ts";
import { writeFileAtomic } from "./atomic.ts";

/** Appends a line in one write, so that processes mix no lines; a file over `maxBytes` is rotated, and one such is kept. */
export function appendLine(path: string, value: unknown, maxBytes: number): void {
  appendLines(path, [value], maxBytes);
}

/** The same for several values. */
export function appendLines(path: string, values: readonly unknown[], maxBytes: number): void {
  if (values.length === 0) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rotate(path, maxBytes);
  const lines = values.map((value) => JSON.stringify(value) + "\n").join("");
  appendFileSync(path, lines, { mode: 0o600 });
}

/** All lines, oldest first, those of the rotated file included; broken lines are skipped. */
export function readLines(path: string, read = textAt): unknown[] {
  return [rotated(path), path].flatMap((each) => valuesIn(read(each)));
}

/** The last `limit` lines, newest first; the rotated file is read only if it is needed. */
export function readLastLines(path: string, limit: number): unknown[] {
  const last: unknown[] = [];
  for (const file of [path, rotated(path)]) {
    for (const line of last.length < limit ? (textAt(file) ?? "").split("\n").reverse() : []) {
      const value = last.length < limit ? parsed(line) : undefined;
      if (value !== undefined) last.push(value);
    }
  }
  return last;
}

/** Overwrites lines in place, each in its length, as others may append; undefined keeps one. Returns how many. */
export function rewriteLines(path: string, change: (line: string) => string | undefined): number {
  const text = textAt(path) ?? "";
  if (text === "") return 0;
  let at = 0, count = 0;
  const file = openSync(path, "r+");
  try {
    for (const line of text.split("\n")) {
      const length = Buffer.byteLength(line);
      const after = change(line);
      if (after !== undefined) {
        const rest = length - Buffer.byteLength(after);
        writeSync(file, rest < 0 ? " ".repeat(length) : after + " ".repeat(rest), at);
        count++;
      }
      at += length + 1;
    }
  } finally {
    closeSync(file);
  }
  return count;
}

/** Halves a file over `maxBytes`: it keeps the newest line of each key; what is appended at this moment may be lost. */
export function keepNewest(path: string, keyOf: (line: string) => string, maxBytes: number): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return;
  const newest = new Map<string, string>();
  for (const line of (textAt(path) ?? "").split("\n").reverse()) {
    const key = line.trim() === "" ? "" : keyOf(line);
    if (key !== "" && !newest.has(key)) newest.set(key, line + "\n");
  }
  let bytes = 0;
  const kept = [...newest.values()]
    .filter((line) => (bytes += Buffer.byteLength(line)) <= maxBytes / 2);
  writeFileAtomic(path, kept.reverse().join(""));
}

function rotate(path: string, maxBytes: number): void {
  try {
    if (statSync(path).size > maxBytes) renameSync(path, rotated(path));
  } catch {
    // it does not exist yet, or another process has just rotated it
  }
}

/** The values of whole lines: one may be cut short by a crash. */
function valuesIn(text = ""): unknown[] {
  return text.split("\n").map(parsed).filter((value) => value !== undefined);
}
