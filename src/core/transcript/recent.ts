import { statSync } from "node:fs";
import { readPart } from "../files/bounded.ts";
import { redactBeforeCut } from "../redact/redact.ts";
import { databaseOf, lastPart } from "./stored.ts";
import { isSynthetic } from "./synthetic.ts";
import type { Turn } from "./turn.ts";
import { readTurns } from "./turns.ts";

/** Only the end of a long transcript is read: it holds the last turns, unless they are too long to be of use. */
const TAIL_BYTES = 256 * 1024;
/** Maximum characters of one message. */
const SAID_CHARS = 500;

/**
 * The messages of a transcript's last turns without their secrets, oldest first, one line per message; none if it is
 * unreadable. The current prompt is not in the transcript yet.
 */
export async function recentTurns(transcript: string, count: number): Promise<string[]> {
  return (await lastTurns(transcript, count)).flatMap(({ prompt, reply }) => [
    `User: ${cut(prompt)}`,
    ...reply === "" ? [] : [`Assistant: ${cut(reply)}`],
  ]);
}

/** A transcript's last turns, oldest first: what the user typed, and the model's last text, "" for none. */
export async function lastTurns(
  transcript: string,
  count: number,
): Promise<{ prompt: string; reply: string }[]> {
  const turns = await turnsAtEnd(transcript);
  return turns.filter(({ prompt }) => prompt !== "" && !isSynthetic(prompt)).slice(-count)
    .map(({ prompt, steps }) => ({
      prompt,
      reply: steps.findLast((step) => step.kind === "text")?.text ?? "",
    }));
}

/** The turns in the tail of a transcript, oldest first; none if it is unreadable. */
export async function turnsAtEnd(transcript: string): Promise<Turn[]> {
  try {
    return await Array.fromAsync(readTurns(transcript, { from: startOfTail(transcript) }));
  } catch {
    return []; // the transcript does not exist yet
  }
}

/** The first byte of the first whole line in the file's tail. */
function startOfTail(path: string): number {
  if (databaseOf(path) !== undefined) return lastPart(path, TAIL_BYTES);
  const from = statSync(path).size - TAIL_BYTES;
  if (from <= 0) return 0;
  return from + readPart(path, TAIL_BYTES, from).indexOf("\n") + 1;
}

function cut(text: string): string {
  const line = redactBeforeCut(text).replace(/\s+/g, " ").trim();
  return line.length <= SAID_CHARS ? line : `${line.slice(0, SAID_CHARS).toWellFormed()}…`;
}
