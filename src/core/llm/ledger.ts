import { localTime } from "../text/counted.ts";
import { appendLine, readLines } from "../files/jsonl.ts";
import type { Config } from "../settings/config.ts";
import { MemoError } from "../../errors.ts";

/** One LLM call: one line in the state folder, without the question. */
export interface Spending {
  /** ISO 8601. */
  readonly at: string;
  readonly purpose: string;
  readonly session?: string | undefined;
  readonly provider: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** US dollars, if the price is known. */
  readonly usd?: number | undefined;
  readonly ms: number;
  readonly outcome: "ok" | "unusable" | "failed" | "timed out" | "given up";
  /** Secrets removed before the question was sent. */
  readonly redacted: number;
}

/** Totals of calls, tokens and dollars. */
export type Sum = ReturnType<typeof sumOf>;

const MAX_BYTES = 1024 * 1024;

/** Appends a line. */
export function writeSpending(path: string, line: Spending): void {
  appendLine(path, line, MAX_BYTES);
}

/** All calls, oldest first. */
export function readSpending(path: string): Spending[] {
  return (readLines(path) as Spending[]).filter((call) => Date.parse(call?.at));
}

/** The sum of some calls. */
export function sumOf(calls: readonly Spending[]) {
  const add = (field: "input" | "output" | "usd") =>
    calls.reduce((sum, call) => sum + (Number(call[field]) || 0), 0);
  return { calls: calls.length, input: add("input"), output: add("output"), usd: add("usd") };
}

/** The local day of a time, `2026-11-21`. */
export function dayOf(time: string | Date): string {
  return localTime(new Date(time)).day;
}

/** The spending on the day of `now`. */
export function spentToday(path: string, now: Date): Sum {
  const today = dayOf(now);
  return sumOf(readSpending(path).filter(({ at }) => dayOf(at) === today));
}

/** The number of a session's LLM calls for some purposes on the day of `now`. */
export function callsOf(
  path: string,
  { session, purposes, now }: {
    readonly session: string;
    readonly purposes: readonly string[];
    readonly now: Date;
  },
): number {
  const today = dayOf(now);
  return readSpending(path).filter((call) =>
    call.session === session && purposes.includes(call.purpose) && dayOf(call.at) === today
  ).length;
}

const TOMORROW = "It continues tomorrow";

/** What to do about a day's limit that is used up. */
export function raiseHint(key: string): string {
  return `${TOMORROW}; to continue now, run \`memo config set ${key} NUMBER\``;
}

/** Whether a hint is about a day's limit that is used up. */
export function isUsedUp(hint: string | undefined): boolean {
  return /^It (?:continues|goes on) tomorrow/.test(hint ?? ""); // queues also have hints of earlier versions
}

/** Throws if the day's calls or dollars are used up. */
export function checkCap(path: string, config: Config, now: Date): void {
  const { calls, usd } = spentToday(path, now);
  const over = (spent: string, key: "llm.daily_calls" | "llm.daily_usd") =>
    new MemoError(
      "llm",
      `Daily limit reached: ${spent} today, \`${key}\` is ${config[key]}`,
      { hint: raiseHint(key) },
    );
  if (calls >= config["llm.daily_calls"]) throw over(`${calls} calls`, "llm.daily_calls");
  if (usd >= config["llm.daily_usd"]) throw over(`$${usd.toFixed(2)}`, "llm.daily_usd");
}

/**
 * US dollars per million tokens, by the prefix of a model's name; the first match counts. These are the list prices
 * that Claude Code 2.1.329 uses (2026-11-21).
 */
const PRICES: readonly (readonly [family: string, input: number, output: number])[] = [
  ["claude-haiku-5", 0.5, 2.5],
  ["claude-haiku-4", 1, 5],
  ["claude-sonnet-5", 2, 10],
  ["claude-sonnet-4", 3, 15],
  ["claude-opus-5-5", 4, 20],
  ["claude-opus-5", 5, 25],
  ["claude-opus-4-1", 15, 75],
  ["claude-opus-4-2", 15, 75], // `claude-opus-4-20250514`
  ["claude-opus-4", 5, 25],
  ["claude-fable-5-2", 8, 40],
  ["claude-mythos-5-2", 8, 40],
  ["claude-fable", 10, 50],
  ["claude-mythos", 10, 50],
];

/** The cost of a call in US dollars; undefined if the model's price is unknown. */
export function costOf(
  model: string,
  tokens: { readonly input: number; readonly output: number },
): number | undefined {
  const [, input, output] = PRICES.find(([family]) => model.startsWith(family)) ?? [];
  if (input === undefined) return undefined;
  return (tokens.input * input + tokens.output * output!) / 1e6;
}
