import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { statsOf } from "../files/stats.ts";

/** So many of the transcripts last written to are looked at. */
const CANDIDATES = 8;
/** The last answer stands near the end. */
const TAIL_BYTES = 1024 * 1024;
/** How far the time since the last answer may be off: it is told in whole seconds, and the hook may have waited. */
const TOLERANCE_MS = { before: 2500, after: 1500 } as const;

export interface ForkOptions {
  /** Seconds since the model's last answer, as Claude Code tells. */
  readonly sinceAnswer: number;
  readonly now: Date;
}

/**
 * The transcript that a fork goes on from, while the fork has none of its own: the one beside it whose last answer is
 * as old as Claude Code says. Undefined when there is none, or more than one.
 */
export function forkedFrom(
  transcript: string,
  { sinceAnswer, now }: ForkOptions,
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
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  } catch {
    return []; // the project's first session
  }
  return names.map((name) => join(folder, name)).filter((path) => path !== transcript)
    .map((path) => ({ path, at: statsOf(path)?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.at - a.at).slice(0, CANDIDATES).map(({ path }) => path);
}

/** When the model last answered, in milliseconds since 1970; 0 when nothing near the end says so. */
function lastAnswerIn(path: string): number {
  const line = tailOf(path).split("\n").findLast((line) => timeOfAnswer(line) > 0);
  return line === undefined ? 0 : timeOfAnswer(line);
}

/** When the model gave the answer that a line holds; 0 for other lines. */
export function timeOfAnswer(line: string): number {
  if (!/"type": ?"assistant"/.test(line)) return 0;
  return Date.parse(/"timestamp": ?"([^"]{1,40})"/.exec(line)?.[1] ?? "") || 0;
}

function tailOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const size = statsOf(path)?.size ?? 0;
      const buffer = Buffer.alloc(Math.min(TAIL_BYTES, size));
      const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
      return buffer.toString("utf8", 0, read);
    } finally {
      closeSync(file);
    }
  } catch {
    return ""; // gone this moment
  }
}
