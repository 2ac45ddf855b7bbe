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
/** What has begun on a day holds after it. */
const BEGUN =
  /(?:since|from|as of|after|seit|ab|nach|desde|a partir del?|tras|depuis|à partir du|après|dal|dopo)(?: the)? $/iu;

/** The day, as the note says it, that it was due and that has passed since it was written; undefined: none. */
export function passedDay(
  memory: Pick<Memory, "name" | "body"> & Dated,
  now: Date,
): string | undefined {
  const written = ownDate(memory) ?? memory.mtimeMs;
  const [rule = ""] = memory.body.split(/\n\s*\n/, 1);
  const text = rule.trim() === "" ? memory.name : rule;
  if (!/\d/.test(text)) return undefined;
  for (const date of DATES) {
    const found = date.exec(text);
    if (found === null || BEGUN.test(text.slice(0, found.index))) continue;
    const { year, month, number, day } = found.groups!;
    const index = number === undefined
      ? MONTHS.findIndex((names) => names.includes(month!.toLowerCase()))
      : Number(number) - 1;
    if (index < 0 || Number(day) > 31) continue;
    const at = (year: number) => Date.UTC(year, index, Number(day) + 1);
    const wrote = new Date(written).getUTCFullYear();
    const end = year !== undefined
      ? at(Number(year))
      : at(wrote) < written
      ? at(wrote + 1)
      : at(wrote);
    if (end > written && end <= now.getTime()) return found[0].trim().replace(/\.$/, "");
  }
  return undefined;
}
