import { InvalidArgumentError } from "commander";
import type { Days } from "../../../core/index/mod.ts";
import type { When } from "../../../core/ledger/change_log.ts";
import { localTime } from "../../../core/text/counted.ts";

/** Days by the calendar: those on which clocks change do not have 24 hours. */
const UNITS_DAYS = { d: 1, w: 7 } as const, UNITS_MS = { m: 60_000, h: 3_600_000 } as const;
const YEAR_OR_MONTH = /^([12]\d{3})(?:-(0[1-9]|1[0-2]))?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const MINUTE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** An id of a change, or the beginning of one. */
const ID = /^[0-9a-f]{4,10}$/;

/** A local date, its beginning or its end, a time, or a time ago; undefined for any other text. */
function momentIn(text: string, dayEnds = false): Date | undefined {
  const ago = /^(\d+)([mhdw])$/.exec(text);
  if (ago !== null) return timeAgo(Number(ago[1]), ago[2] as "m" | "h" | "d" | "w");
  const time = DAY.test(text)
    ? new Date(`${text}T${dayEnds ? "23:59:59.999" : "00:00"}`)
    : new Date(MINUTE.test(text) ? text.replace(" ", "T") : NaN);
  const isTime = !Number.isNaN(time.getTime()) && (!DAY.test(text) || localTime(time).day === text);
  return isTime ? time : undefined;
}

function timeAgo(count: number, unit: "m" | "h" | "d" | "w"): Date {
  const time = new Date();
  if (unit === "d" || unit === "w") time.setDate(time.getDate() - count * UNITS_DAYS[unit]);
  else time.setTime(time.getTime() - count * UNITS_MS[unit]);
  return time;
}

/** The local days of a year, a month, a date or a time ago (`2026`, `2026-03`, `7d`); undefined for any other text. */
export function daysIn(text: string): Days | undefined {
  const [, year, month] = YEAR_OR_MONTH.exec(text) ?? [];
  if (year === undefined) {
    const moment = momentIn(text);
    const day = moment && localTime(moment).day;
    return day === undefined ? undefined : { from: day, to: day };
  }
  const last = new Date(Number(year), Number(month ?? 12), 0);
  return { from: `${year}-${month ?? "01"}-01`, to: localTime(last).day };
}

/** Parses an option as a date, the beginning of a year or month, or a time ago. */
export function momentOf(value: string): Date {
  const moment = momentIn(value);
  if (moment !== undefined) return moment;
  const days = daysIn(value);
  if (days !== undefined) return new Date(`${days.from}T00:00`);
  throw new InvalidArgumentError("Expected a date such as 2026-11-21, or a time ago such as 7d.");
}

/** Splits `NAME@TIME`: a day, a minute or a second means its end. */
export function splitMoment(text: string): { readonly name: string; readonly when?: When } {
  const at = text.lastIndexOf("@");
  if (at <= 0) return { name: text };
  const [name, time] = [text.slice(0, at), text.slice(at + 1).trim()];
  const moment = momentIn(
    time.replace(/([T ]\d\d:\d\d)$/, "$1:59").replace(/:\d\d$/, "$&.999"),
    true,
  );
  if (moment !== undefined) return { name, when: moment };
  return ID.test(time) ? { name, when: { change: time } } : { name: text };
}
