import { type Command, InvalidArgumentError, Option } from "commander";
import type { Days } from "../../../core/index/mod.ts";
import type { When } from "../../../core/ledger/change_log.ts";
import { localTime } from "../../../core/text/counted.ts";
import type { Scope } from "../../../core/memory/memory.ts";
import type { Selection } from "../../../core/memory/list.ts";
import { nearest } from "../../../core/text/nearest.ts";
import { KNOWN_TYPES } from "../../../core/memory/types.ts";

/** Options that are given or not. */
export type Flags<Name extends string> = { readonly [name in Name]?: boolean | undefined };

/** The flag of a command that has no other. */
export type Json = Flags<"json">;

/** Options that take a text. */
export type Texts<Name extends string> = { readonly [name in Name]?: string | undefined };

/** Parse an option as an integer of at least 1, and of at least 0. */
export const wholeNumber = atLeast(1), wholeNumberOrNone = atLeast(0);

function atLeast(least: number) {
  return (value: string): number => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= least && value.trim() !== "") return number;
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
  };
}

const YEAR_OR_MONTH = /^([12]\d{3})(?:-(0[1-9]|1[0-2]))?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const MINUTE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** An id of a change, or the beginning of one. */
const ID = /^[0-9a-f]{4,10}$/;

/** A local date, its beginning or its end, a time, or a time ago; undefined for any other text. */
function momentIn(text: string, dayEnds = false): Date | undefined {
  const ago = /^(\d+)([mhdw])$/.exec(text);
  if (ago !== null) return timeAgo(Number(ago[1]), ago[2]!);
  const time = DAY.test(text)
    ? new Date(`${text}T${dayEnds ? "23:59:59.999" : "00:00"}`)
    : new Date(MINUTE.test(text) ? text.replace(" ", "T") : NaN);
  const isTime = !Number.isNaN(time.getTime()) && (!DAY.test(text) || localTime(time).day === text);
  return isTime ? time : undefined;
}

function timeAgo(count: number, unit: string): Date {
  const time = new Date();
  // Days are the calendar's: those on which clocks change do not have 24 hours.
  if (unit === "d" || unit === "w") time.setDate(time.getDate() - count * (unit === "w" ? 7 : 1));
  else time.setTime(time.getTime() - count * (unit === "h" ? 3_600_000 : 60_000));
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
  throw new InvalidArgumentError(
    "Expected a date such as `2026-11-21`, or a time ago such as `7d`.",
  );
}

/** Splits `NAME@TIME`: a day, a minute or a second means its end. */
export function splitMoment(text: string): { readonly name: string; readonly when?: When } {
  const at = text.lastIndexOf("@");
  if (at <= 0) return { name: text };
  const [name, time] = [text.slice(0, at), text.slice(at + 1).trim()];
  const end = time.replace(/([T ]\d\d:\d\d)$/, "$1:59").replace(/:\d\d$/, "$&.999");
  const moment = momentIn(end, true);
  if (moment !== undefined) return { name, when: moment };
  return ID.test(time) ? { name, when: { change: time } } : { name: text };
}

const SCOPES: readonly Scope[] = ["user", "project", "shared", "auto", "team"];

/** Adds the filter options to a command. */
export function addFilters(command: Command): Command {
  const timeOf = (value: string) => momentOf(value).getTime();
  return command
    .option("-t, --type <types>", "Only these types, comma-separated", listed)
    .option("--tag <tags>", "Only memories with all these tags, comma-separated", listed)
    .addOption(new Option("--scope <scope>", "Only this scope").choices(SCOPES))
    .option(
      "--since <date>",
      "Changed since a date (`2026-11-21`, `2026-11`) or a time ago (`7d`, `2w`)",
      timeOf,
    )
    .option("--before <date>", "Changed before a date or a time ago", timeOf);
}

/** The filters among a command's options; undefined if none is set. */
export function selectionIn(
  { type, tag, scope, since, before }: Selection,
): Selection | undefined {
  const selection = { type, tag, scope, since, before };
  return Object.values(selection).some((filter) => filter !== undefined) ? selection : undefined;
}

/** Suggests the known type that a misspelt one probably meant. */
export function formatTypeHint(types: readonly string[] = []): string {
  const near = types.filter((type) => !KNOWN_TYPES.includes(type))
    .map((type) => nearest(type, KNOWN_TYPES))
    .find((type) => type !== undefined);
  return near === undefined ? "" : `did you mean the type \`${near}\`? `;
}

/** Parses an option as items between commas. */
export function list(value: string): string[] {
  return value.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function listed(value: string, before: readonly string[] = []): string[] {
  return [...before, ...list(value)];
}
