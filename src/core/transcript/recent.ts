import { statSync } from "node:fs";
import { readPart } from "../files/bounded.ts";
import { redactBeforeCut } from "../redact/redact.ts";
import { databaseOf, isSynthetic, lastPart } from "./lines.ts";
import { pausedPrompts } from "./pause.ts";
import { readTurns, type Turn } from "./turns.ts";
import type { Paths } from "../../paths.ts";
import { dirname, join } from "node:path";
import { namesIn } from "../files/there.ts";
import { byAge } from "./find.ts";

/** Only the end of a long transcript is read: it holds the last turns, unless they are too long to be of use. */
const TAIL_BYTES = 256 * 1024;
const SAID_CHARS = 500;

/**
 * The messages of a transcript's last turns without their secrets, oldest first, one line per message; none if it is
 * unreadable. The current prompt is not in the transcript yet.
 */
export async function recentTurns(
  transcript: string,
  count: number,
  paths: TurnPaths,
): Promise<string[]> {
  return (await lastTurns(transcript, count, paths)).flatMap(({ prompt, reply }) => [
    `User: ${cut(prompt)}`,
    ...reply === "" ? [] : [`Assistant: ${cut(reply)}`],
  ]);
}

/** A transcript's last turns, oldest first: what the user typed, and the model's last text, "" for none. */
export async function lastTurns(
  transcript: string,
  count: number,
  paths: TurnPaths,
): Promise<{ prompt: string; reply: string }[]> {
  const turns = await turnsAtEnd(transcript, paths);
  return turns.filter(({ prompt }) => prompt !== "" && !isSynthetic(prompt)).slice(-count)
    .map(({ prompt, steps }) => ({
      prompt,
      reply: steps.findLast((step) => step.kind === "text")?.text ?? "",
    }));
}

/** What says which turns are not to be read. */
type TurnPaths = Pick<Paths, "capture" | "config" | "home">;

/** The turns in the tail of a transcript, oldest first; none if it is unreadable. */
export async function turnsAtEnd(transcript: string, paths: TurnPaths): Promise<Turn[]> {
  try {
    const reading = { from: startOfTail(transcript), paused: pausedPrompts(paths.capture, paths) };
    return await Array.fromAsync(readTurns(transcript, reading));
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

/** The last answer is near the end of a transcript, which is one of the newest. */
const ANSWER_TAIL_BYTES = 1024 * 1024, CANDIDATES = 8;
/** Tolerance of the time since the last answer: Claude Code gives whole seconds, and the hook may have waited. */
const TOLERANCE_MS = { before: 2500, after: 1500 } as const;

/**
 * The transcript that a fork continues while it has none of its own: the neighbouring one whose last answer is as old
 * as Claude Code says. Undefined if there is none, or more than one.
 */
export function forkedFrom(
  transcript: string,
  { sinceAnswer, now }: {
    /** Seconds since the model's last answer, according to Claude Code. */
    readonly sinceAnswer: number;
    readonly now: Date;
  },
): string | undefined {
  const answered = now.getTime() - sinceAnswer * 1000;
  const folder = dirname(transcript);
  const beside = namesIn(folder).filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name)).filter((path) => path !== transcript);
  const found = byAge(beside).slice(-CANDIDATES).filter(({ path }) => {
    const off = lastAnswerIn(path) - answered;
    return off > -TOLERANCE_MS.before && off < TOLERANCE_MS.after;
  });
  return found.length === 1 ? found[0]!.path : undefined;
}

/** The time of the model's last answer, in milliseconds since 1970; 0 if none is near the end. */
function lastAnswerIn(path: string): number {
  try {
    const from = Math.max(0, statSync(path).size - ANSWER_TAIL_BYTES);
    const lines = readPart(path, ANSWER_TAIL_BYTES, from).toString().split("\n");
    return lines.map(timeOfAnswer).findLast((time) => time > 0) ?? 0;
  } catch {
    return 0; // deleted since
  }
}

/** The time of the model's answer in a line; 0 for other lines. */
export function timeOfAnswer(line: string): number {
  if (!/"type": ?"assistant"/.test(line)) return 0;
  return Date.parse(/"timestamp": ?"([^"]{1,40})"/.exec(line)?.[1] ?? "") || 0;
}
