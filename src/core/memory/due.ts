// A day that a note looks forward to, and that has passed since: a reader takes "the demo is on 12 December" for news.

import { type Dated, ownDate } from "./age.ts";
import type { Memory } from "./memory.ts";

/** Each month's names, in English, German, Spanish, French, Italian and Portuguese. */
const MONTHS = [
  "jan january januar enero janvier gennaio janeiro",
  "feb february februar febrero février febbraio fevereiro",
  "mar march märz marzo mars março",
  "apr april abril avril aprile",
  "may mai mayo maggio maio",
  "jun june juni junio juin giugno junho",
  "jul july juli julio juillet luglio julho",
  "aug august agosto août",
  "sep sept september septiembre septembre settembre setembro",
  "oct october oktober octubre octobre ottobre outubro",
  "nov november noviembre novembre novembro",
  "dec december dezember diciembre décembre dicembre dezembro",
].map((names) => names.split(" "));
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
  `(?<!\\p{L})(?:${
    [
      "since|from|as of|after|effective|valid|(?:start|beginn)ing|(?:start|begin|take)s|(?:in|into) (?:force|effect)",
      "seit|ab|nach|gültig|gilt|tritt|beginnt|startet|desde|a partir del?|tras|empieza|comienza",
      "depuis|à partir du|après|commence|dal|dopo|inizia|começa",
    ].join("|")
  }),?(?: (?:the|on|from|effect|dem|am|el|le|il|em|\\p{L}+(?:day|tag)),?)* $`,
  "iu",
);
const BEGUN = /^,? (?:onwards?|in Kraft|en vigor|en vigueur|in vigore)(?!\p{L})/iu;
const DAY_MS = 86_400_000;
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
