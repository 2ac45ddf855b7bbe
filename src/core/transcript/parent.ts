import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPart } from "../files/bounded.ts";
import { statsOf } from "../files/stats.ts";
import { namesIn } from "../files/there.ts";

/** How many of the most recently written transcripts are considered. */
const CANDIDATES = 8;
/** The last answer is near the end. */
const TAIL_BYTES = 1024 * 1024;
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
  const found = newestBeside(transcript).filter((path) => {
    const off = lastAnswerIn(path) - answered;
    return off > -TOLERANCE_MS.before && off < TOLERANCE_MS.after;
  });
  return found.length === 1 ? found[0] : undefined;
}

function newestBeside(transcript: string): string[] {
  const folder = dirname(transcript);
  return namesIn(folder).filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name)).filter((path) => path !== transcript)
    .map((path) => ({ path, at: statsOf(path)?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.at - a.at).slice(0, CANDIDATES).map(({ path }) => path);
}

/** The time of the model's last answer, in milliseconds since 1970; 0 if none is near the end. */
function lastAnswerIn(path: string): number {
  const line = tailOf(path).split("\n").findLast((line) => timeOfAnswer(line) > 0);
  return line === undefined ? 0 : timeOfAnswer(line);
}

/** The time of the model's answer in a line; 0 for other lines. */
export function timeOfAnswer(line: string): number {
  if (!/"type": ?"assistant"/.test(line)) return 0;
  return Date.parse(/"timestamp": ?"([^"]{1,40})"/.exec(line)?.[1] ?? "") || 0;
}

function tailOf(path: string): string {
  try {
    const from = Math.max(0, statSync(path).size - TAIL_BYTES);
    return readPart(path, TAIL_BYTES, from).toString();
  } catch {
    return ""; // deleted since
  }
}
