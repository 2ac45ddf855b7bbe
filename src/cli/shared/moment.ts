import { InvalidArgumentError } from "commander";
import type { When } from "../../memory/versions.ts";
import { parsePeriod } from "../../text/period.ts";

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;
const DAY = /^\d{4}-\d\d-\d\d$/;
const MINUTE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** An id of a change, or the beginning of one. */
const ID = /^[0-9a-f]{4,10}$/;

/** A local date, its beginning or its end, a time, or a time ago; undefined for any other text. */
function momentIn(text: string, dayEnds = false): Date | undefined {
  const ago = /^(\d+)([mhdw])$/.exec(text);
  if (ago !== null) return new Date(Date.now() - Number(ago[1]) * UNITS_MS[ago[2] as "h"]);
  const time = DAY.test(text)
    ? new Date(`${text}T${dayEnds ? "23:59:59.999" : "00:00"}`)
    : new Date(MINUTE.test(text) ? text.replace(" ", "T") : NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Parses an option as a date, the beginning of a month or the like (`march`, `last week`), or a time ago. */
export function momentOf(value: string): Date {
  const moment = momentIn(value);
  if (moment !== undefined) return moment;
  const period = parsePeriod(value, new Date());
  if (period !== undefined) return new Date(`${period.from}T00:00`);
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
