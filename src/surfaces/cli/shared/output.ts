import { writeSync } from "node:fs";
import wrapAnsi from "wrap-ansi";
import { codeOf, exitCodeOf, MemoError, renderError } from "../../../errors.ts";
import { orNothing } from "../../../core/files/there.ts";
import { homedir } from "../../../core/link/plain_path.ts";
import { visible } from "../../../core/text/neutralise.ts";

import { columns, paint } from "../../../core/text/terminal.ts";

export { columns, paint };

/** Writes data to stdout, completely, even into a slow pipe. */
export function out(text: string): void {
  writeAll(1, text);
}

/**
 * Writes the path of what was written to stdout, for a program; a person is told in words. A stdout that takes nothing,
 * such as a file on a full disk, fails the command, which goes on to say what it has done.
 */
export function outPath(path: string): void {
  if (process.stdout.isTTY) return;
  try {
    out(path + "\n");
  } catch (error) {
    say(renderError(error).trimEnd());
    process.exitCode = exitCodeOf(error);
  }
}

/**
 * Writes a line to stderr, without control characters that could steer the terminal, with the home folder as `~`, and
 * broken between words to fit the terminal.
 */
export function say(line: string): void {
  writeAll(2, inWidth(homely(visible(line))) + "\n");
}

/** Says why there is nothing to print, for which a command ends with 1. */
export function printNothing(line: string): void {
  say(line);
  process.exitCode = 1;
}

/** Prints lines below a heading, if there are any. */
export function outSection(title: string, lines: readonly string[]): void {
  if (lines.length > 0) out(`\n${paint("bold", title)}\n${lines.join("\n")}\n`);
}

/** Prints what was found as JSON, or in words; without anything a command ends with 1. */
export function printFound(
  found: readonly unknown[],
  { json, text, nothing }: {
    readonly json: boolean | undefined;
    readonly text: () => string;
    /** That there is nothing, unless that has been said. */
    readonly nothing: () => string | undefined;
  },
): void {
  if (json) outJson(found);
  else if (found.length > 0) out(text());
  if (found.length > 0) return;
  const none = json ? undefined : nothing();
  if (none !== undefined) say(none);
  process.exitCode = 1;
}

/** A text for a model, as a person reads it at a terminal; a program gets it as it is. */
export function forPerson(text: string): string {
  return process.stdout.isTTY ? inWidth(homely(visible(text))) : text;
}

/** A text broken between words to fit the terminal. */
export function inWidth(text: string): string {
  if (!process.stderr.isTTY) return text;
  const room = process.stderr.columns;
  return text.split("\n").map((line) => {
    const indent = /^ */.exec(line)![0];
    return indent + wrapAnsi(line.slice(indent.length), Math.max(20, room - indent.length))
      .replaceAll("\n", `\n${indent}`);
  }).join("\n");
}

/** The home folder in a text as people write it. */
function homely(text: string): string {
  // The error that says there is none comes through here, too.
  const home = process.env["HOME"] || process.env["USERPROFILE"] || orNothing(homedir) || "";
  if (home.length < 2) return text;
  return text.replaceAll(
    new RegExp(`(?<![\\w./~-])${RegExp.escape(home)}(?=[/\\s\`'",;:)]|$)`, "gu"),
    "~",
  );
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
      const code = codeOf(error);
      if (code === "EPIPE") return; // the reader has closed the pipe, as `| head` does
      if (code === "EAGAIN") continue;
      throw new MemoError("file", `Cannot write to ${fd === 1 ? "stdout" : "stderr"}: ${code}`, {
        hint: "Run `memo log` to see what the command had changed",
        cause: error,
      });
    }
  }
}
