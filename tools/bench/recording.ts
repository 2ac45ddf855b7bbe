// Replies of a language model that were recorded, so that an experiment can be repeated without one.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readJsonLines } from "../../bench/suite.ts";
import { parseJson } from "../../src/core/llm/parse_json.ts";
import type { Judged } from "./verdicts.ts";

/** One recorded reply: one line of a recording. */
export interface Reply extends Judged {
  /** Hash of the question: another wording, or another list of memories, is another question. */
  readonly key: string;
}

/** Names a question by what the model sees of it. */
export function keyOf(...seen: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 32);
}

/** The replies in a file, by the key of their question; empty if the file does not exist. */
export function readReplies(path: string): Map<string, Reply> {
  if (!existsSync(path)) return new Map();
  const replies = readJsonLines<Reply>(path).filter((line) => "answer" in line);
  return new Map(replies.map((reply) => [reply.key, reply]));
}

/** The text of a reply as a line of a recording; undefined where it is not a JSON object. */
export function recorded(
  { key, text, ...by }: {
    readonly key: string;
    readonly text: string;
    /** What answered. */
    readonly model: string;
    /** ISO 8601. */
    readonly at: string;
  },
): Reply | undefined {
  const answer = parseJson(text);
  if (typeof answer !== "object" || answer === null) return undefined;
  return { key, answer, ...by, ms: 0, input: 0, output: 0 };
}
