import { markOf } from "./basis.ts";
import { localTime } from "../text/local_time.ts";

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
  return memory.confidence * Math.max(0, 1 - ageInMs(memory, now) / (days * DAY_MS));
}

/** An age in words. */
export function sayAge(days: number): string {
  if (days === 0) return "today";
  return days === 1 ? "1 day old" : `${days} days old`;
}

/** When a memory was last changed, in milliseconds: its own date, else the file's time. */
export function changedAt(memory: Dated): number {
  return ownDate(memory) ?? memory.mtimeMs;
}

/** The date in a memory's file, in milliseconds; undefined if it has none that can be read. */
export function ownDate({ updated, created }: Omit<Dated, "mtimeMs">): number | undefined {
  // A date alone is a day where its writer was, not in Greenwich.
  const timeOf = (date = "") => Date.parse(/^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T00:00` : date);
  return [updated, created].map(timeOf).find((time) => !Number.isNaN(time));
}

/** The day a memory was last changed, `2026-11-21`. */
export function changedOn(memory: Dated): string {
  return localTime(new Date(changedAt(memory))).day;
}

function ageInMs(memory: Dated, now: Date): number {
  return Math.max(0, now.getTime() - changedAt(memory));
}
