// Files with one JSON document per line: the log, receipts, spending.

import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { rotated } from "../paths.ts";

/**
 * Appends a line in one write, so that lines of several processes do not mix. A file over `maxBytes` is rotated first;
 * one rotated file is kept.
 */
export function appendLine(path: string, value: unknown, maxBytes: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rotate(path, maxBytes);
  appendFileSync(path, JSON.stringify(value) + "\n", { mode: 0o600 });
}

/** All lines, oldest first, those of the rotated file included; broken lines are skipped. */
export function readLines(path: string): unknown[] {
  return [...parsed(rotated(path)), ...parsed(path)];
}

/** The last `limit` lines, newest first; the rotated file is read only if it is needed. */
export function readLastLines(path: string, limit: number): unknown[] {
  const last = parsed(path).reverse().slice(0, limit);
  return last.length < limit
    ? [...last, ...parsed(rotated(path)).reverse().slice(0, limit - last.length)]
    : last;
}

function rotate(path: string, maxBytes: number): void {
  try {
    if (statSync(path).size > maxBytes) renameSync(path, rotated(path));
  } catch {
    // it does not exist yet, or another process has just rotated it
  }
}

function parsed(path: string): unknown[] {
  return textOf(path).split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      return [JSON.parse(line)];
    } catch {
      return []; // cut short by a crash
    }
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
