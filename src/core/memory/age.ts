import { markOf } from "./provenance.ts";
import { localTime } from "../text/counted.ts";
import lists from "../text/word_lists.json" with { type: "json" };
import type { Memory } from "./memory.ts";

const DAY_MS = 86_400_000;

/** The parts of a memory that determine its age. */
export interface Dated {
  readonly created: string | undefined;
  readonly updated: string | undefined;
  readonly mtimeMs: number;
}

/** Days of the local calendar since a memory was last changed, by its own date or else the file's time; at least 0. */
export function ageInDays(memory: Dated, now: Date): number {
  const [from, to] = [new Date(changedAt(memory)), now].map((moment) =>
    Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate())
  );
  return Math.max(0, (to! - from!) / DAY_MS);
}

/** What a model has only concluded fades in so many days, unless it is confirmed. */
const CONCLUDED_DAYS = 30;

/**
 * A memory's present confidence, which falls linearly to 0 over its type's lifespan in days (null: never).
 */
export function confidenceNow(
  memory: Dated & { readonly confidence: number; readonly tags?: readonly string[] },
  lifespanDays: number | null,
  now: Date,
): number {
  const isConcluded = markOf({ tags: memory.tags ?? [] })?.basis === "concluded";
  const days = isConcluded ? Math.min(lifespanDays ?? Infinity, CONCLUDED_DAYS) : lifespanDays;
  if (days === null) return memory.confidence;
  const age = Math.max(0, now.getTime() - changedAt(memory));
  return memory.confidence * Math.max(0, 1 - age / (days * DAY_MS));
}

/** An age in words. */
export function formatAge(days: number): string {
  if (days === 0) return "today";
  return days === 1 ? "1 day old" : `${days} days old`;
}

/** When a memory was last changed, in milliseconds: its own date, else the file's time. */
export function changedAt(memory: Dated): number {
  return ownDate(memory) ?? memory.mtimeMs;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The date in a memory's file, in milliseconds; undefined if it has none that can be read. */
export function ownDate({ updated, created }: Omit<Dated, "mtimeMs">): number | undefined {
  return timeOf(updated) ?? timeOf(created);
}

function timeOf(date = ""): number | undefined {
  // A date alone is a day where its writer was, not in Greenwich.
  const time = Date.parse(DAY.test(date) ? `${date}T00:00` : date);
  return Number.isNaN(time) ? undefined : time;
}

/** The day a memory was last changed, `2026-11-21`. */
export function changedOn(memory: Dated): string {
  return localTime(new Date(changedAt(memory))).day;
}

// A day that a note looks forward to, and that has passed since: a reader takes "the demo is on 12 December" for news.
/** Each month's names, in English, German, Spanish, French, Italian and Portuguese. */
const MONTHS = lists.months.map((names) => names.split(" "));
const MONTH = "(?<month>\\p{L}{3,10})\\.?";
const DATES: readonly RegExp[] = [
  /(?<!\d)(?<year>20\d\d)-(?<number>\d\d)-(?<day>\d\d)(?!\d)/u,
  new RegExp(
    `(?<!\\d)(?<day>\\d{1,2})(?:\\.|st|nd|rd|th|er)? (?:de |of )?${MONTH}(?:,?(?: de)? (?<year>20\\d\\d))?`,
    "u",
  ),
  new RegExp(
    `(?<!\\p{L})${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:, (?<year>20\\d\\d))?`,
    "u",
  ),
];
/** What begins on a day holds after it; before the day, and behind it. */
const BEGINNING = new RegExp(
  `(?<!\\p{L})(?:${lists.beginning.join("|")})` +
    // "from next Monday (2026-12-07)" has its date from memo
    `(?:,?(?: (?:the|on|from|effect|dem|am|el|le|il|em|\\p{L}+(?:day|tag)),?)* |(?: [\\p{L}\\p{N}-]+){1,4} \\()$`,
  "iu",
);
const BEGUN = /^,? (?:onwards?|in Kraft|en vigor|en vigueur|in vigore)(?!\p{L})/iu;
const HALF_YEAR_MS = 183 * DAY_MS;

/** The day after that of writing, as the note says it, that it looked forward to and that has passed; undefined: none. */
export function passedDay(
  memory: Pick<Memory, "name" | "body"> & Dated,
  now: Date,
): string | undefined {
  const written = ownDate(memory) ?? memory.mtimeMs;
  // Days are compared in UTC: the writer's clock may have shown the next day already.
  const wrote = Math.max(written, written - new Date(written).getTimezoneOffset() * 60_000);
  const [rule = ""] = memory.body.split(/\n\s*\n/, 1);
  const text = rule.trim() === "" ? memory.name : rule;
  if (!/\d/.test(text)) return undefined;
  for (const date of DATES) {
    const found = date.exec(text);
    if (found === null) continue;
    const end = found.index + found[0].length;
    if (BEGINNING.test(text.slice(0, found.index)) || BEGUN.test(text.slice(end))) continue;
    const { year, month, number, day } = found.groups!;
    const index = number === undefined
      ? MONTHS.findIndex((names) => names.includes(month!.toLowerCase()))
      : Number(number) - 1;
    if (index < 0 || Number(day) > 31) continue;
    const at = (year: number) => Date.UTC(year, index, Number(day));
    const thisYear = new Date(wrote).getUTCFullYear();
    // A day without a year that has passed by more than half of one is that of the next.
    const isNext = at(thisYear) <= wrote && at(thisYear + 1) - wrote < HALF_YEAR_MS;
    const due = at(year === undefined ? thisYear + Number(isNext) : Number(year));
    if (due > wrote && due + DAY_MS <= now.getTime()) return found[0].trim().replace(/\.$/, "");
  }
  return undefined;
}
