import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../settings/config.ts";
import { MemoError } from "../errors.ts";
import { rotated } from "../paths.ts";

/** One call to a language model: one line in the state folder. What was asked is not kept. */
export interface Spending {
  /** ISO 8601. */
  readonly at: string;
  readonly purpose: string;
  readonly session?: string | undefined;
  readonly provider: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** US dollars, where the price is known. */
  readonly usd?: number | undefined;
  readonly ms: number;
  readonly outcome: "ok" | "failed" | "timed out" | "given up";
  /** Secrets that were taken out before the question left. */
  readonly redacted: number;
}

/** What was spent: calls, tokens and dollars. */
export interface Sum {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly usd: number;
}

/** Past this size the file becomes `spending.jsonl.1`, in place of the one before. */
const MAX_BYTES = 1024 * 1024;

/** Appends a line; one write, so that lines of several processes do not mix. */
export function writeSpending(path: string, line: Spending): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) {
    renameSync(path, rotated(path));
  }
  appendFileSync(path, JSON.stringify(line) + "\n", { mode: 0o600 });
}

/** Every line that is kept, oldest first; those that are not whole are passed over. */
export function readSpending(path: string): Spending[] {
  return [rotated(path), path].flatMap(linesOf).flatMap((line) => {
    try {
      const spending = JSON.parse(line) as Spending;
      return Date.parse(spending?.at) ? [spending] : [];
    } catch {
      return []; // written halfway when the power went, say
    }
  });
}

/** The sum of some calls. */
export function sumOf(calls: readonly Spending[]): Sum {
  const add = (field: "input" | "output" | "usd") =>
    calls.reduce((sum, call) => sum + (Number(call[field]) || 0), 0);
  return { calls: calls.length, input: add("input"), output: add("output"), usd: add("usd") };
}

/** The day of a time where the user is, `2026-11-21`. */
export function dayOf(time: string | Date): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** What was spent on the day of `now`. */
export function spentToday(path: string, now: Date): Sum {
  const today = dayOf(now);
  return sumOf(readSpending(path).filter(({ at }) => dayOf(at) === today));
}

/** How many questions with one purpose were asked for a session. */
export function callsOf(path: string, session: string, purpose: string): number {
  return readSpending(path).filter((call) => call.session === session && call.purpose === purpose)
    .length;
}

/** Throws when the day's calls or dollars are used up. */
export function checkCap(path: string, config: Config, now: Date): void {
  const { calls, usd } = spentToday(path, now);
  const over = (spent: string, key: "llm.daily_calls" | "llm.daily_usd") =>
    new MemoError(
      "llm",
      `Daily limit reached: ${spent} today, \`${key}\` is ${config[key]}`,
      {
        hint: `Run \`memo stats\`, or raise the limit with \`memo config set ${key} NUMBER\``,
      },
    );
  if (calls >= config["llm.daily_calls"]) throw over(`${calls} calls`, "llm.daily_calls");
  if (usd >= config["llm.daily_usd"]) throw over(`$${usd.toFixed(2)}`, "llm.daily_usd");
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}
