// Days as people write them: `2026-03`, `march`, `4 march 2025`, `last week`, `im März`, `3月`.

import { localTime } from "./local_time.ts";

/** A stretch of days by the local clock, both included, as `2026-03-04`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A period that a question names, and the question without it. */
export interface Asked {
  readonly period: Period;
  readonly rest: string;
}

/** The ends of a period that is open on one side. */
const EVER: Period = { from: "0000-01-01", to: "9999-12-31" };

/** Languages whose names of months are known, by Unicode's own tables. */
const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "tr", "cs", "uk"];

/** What stands for a number of days back, and how long it is: `[pattern, days back, length]`. */
const RELATIVE: readonly (readonly [RegExp, back: number, days: number])[] = [
  [/^(today|heute|aujourd'hui|hoy|oggi|hoje|vandaag|сегодня|今天|今日|오늘)$/, 0, 1],
  [/^(yesterday|gestern|hier|ayer|ieri|ontem|gisteren|вчера|昨天|昨日|어제)$/, 1, 1],
  [/^(the )?day before yesterday$|^(vorgestern|avant-hier|anteayer|前天|一昨日)$/, 2, 1],
];

/** Weeks, months and years around today, in the languages above where they are one phrase. */
const AROUND: readonly (readonly [RegExp, unit: Unit, back: number])[] = [
  [
    /^this week$|^(diese woche|cette semaine|esta semana|questa settimana|这周|本周|今週)$/,
    "week",
    0,
  ],
  [
    /^(the )?(last|previous|past) week$|^(letzte woche|la semaine dernière|la semana pasada|上周|上星期|先週)$/,
    "week",
    1,
  ],
  [/^this month$|^(dieser monat|diesen monat|ce mois|este mes|这个月|本月|今月)$/, "month", 0],
  [
    /^(the )?(last|previous|past) month$|^(letzter monat|letzten monat|le mois dernier|el mes pasado|上个月|先月)$/,
    "month",
    1,
  ],
  [/^this year$|^(dieses jahr|cette année|este año|今年)$/, "year", 0],
  [
    /^(the )?(last|previous|past) year$|^(letztes jahr|l'année dernière|el año pasado|去年|昨年)$/,
    "year",
    1,
  ],
];

type Unit = "day" | "week" | "month" | "year";

const UNIT = "(day|week|month|year)s?";
const UNITS: Readonly<Record<string, Unit>> = { d: "day", w: "week", m: "month", y: "year" };
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
/** Parts of a month. */
const PARTS: Readonly<Record<string, readonly [first: number, last: number]>> = {
  early: [1, 10],
  mid: [11, 20],
  late: [21, 31],
};

/** The days that a text names, as seen from `now`; undefined for any other text. What has no year is the last one. */
export function parsePeriod(text: string, now: Date): Period | undefined {
  const words = text.normalize("NFC").toLowerCase().replace(/[,\s]+/g, " ").trim();
  if (words === "") return undefined;
  return numeric(words) ?? relative(words, now) ?? inEastAsia(words, now) ?? named(words, now);
}

/** Words before a period in a question, and what they make of it. */
const SIDES: Readonly<Record<string, (period: Period) => Period>> = {
  since: ({ from }) => ({ from, to: EVER.to }),
  seit: ({ from }) => ({ from, to: EVER.to }),
  depuis: ({ from }) => ({ from, to: EVER.to }),
  desde: ({ from }) => ({ from, to: EVER.to }),
  after: ({ to }) => ({ from: shifted(to, 1), to: EVER.to }),
  before: ({ from }) => ({ from: EVER.from, to: shifted(from, -1) }),
  until: ({ to }) => ({ from: EVER.from, to }),
};
/** Words before a period that say no more than that it is one. */
const BEFORE = new Set(
  ("in on at during of from over around by within back im am in den vom letzten en au le de em no na nel a il " +
    "w v в во с i op").split(" "),
);
/** Names that are also other words, which need one of those before them or a number beside them. */
const AMBIGUOUS =
  /^(may|march|mar|mars|sun|mon|sat|wed|dec|jan|mai|juin|set|sep|ago|out|nov|apr|jun|jul|aug|oct|feb|[a-zа-я]{1,4}|\d{4}|\d+[dwmy])$/;
/** The most words that a period takes. */
const MAX_WORDS = 5;

/** The first period that a question names; undefined if it names none. */
export function periodIn(question: string, now: Date): Asked | undefined {
  const eastern = EASTERN.exec(question);
  if (eastern !== null) {
    const period = inEastAsia(eastern[0], now);
    if (period !== undefined) return { period, rest: question.replace(eastern[0], " ").trim() };
  }
  const words = [...question.matchAll(/[^\s?!;:()"]+/g)]
    .map((match) => ({ text: match[0].replace(/[.,]+$/, ""), at: match.index, all: match[0] }));
  for (let first = 0; first < words.length; first++) {
    for (let count = Math.min(MAX_WORDS, words.length - first); count > 0; count--) {
      const phrase = words.slice(first, first + count).map(({ text }) => text).join(" ");
      const period = parsePeriod(phrase, now);
      const before = words[first - 1]?.text.toLowerCase() ?? "";
      const side = SIDES[before];
      const isMarked = side !== undefined || BEFORE.has(before);
      if (
        period === undefined ||
        (AMBIGUOUS.test(phrase.toLowerCase().replace(/^the /, "")) && !isMarked)
      ) continue;
      const start = words[isMarked ? first - 1 : first]!.at;
      const last = words[first + count - 1]!;
      const rest = question.slice(0, start) + question.slice(last.at + last.all.length);
      return { period: side?.(period) ?? period, rest: rest.replace(/\s+/g, " ").trim() };
    }
  }
  return undefined;
}

/** `2026-03-04`, `2026-03`, `2026`, `03/2026`. */
function numeric(text: string): Period | undefined {
  const found = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text);
  if (found !== null) return dayOrMore(found[1], found[2], found[3]);
  const [, month, year] = /^(\d{1,2})[/.](\d{4})$/.exec(text) ?? [];
  return month === undefined ? undefined : dayOrMore(year, month);
}

function relative(text: string, now: Date): Period | undefined {
  for (const [pattern, back, days] of RELATIVE) {
    if (pattern.test(text)) return lasting(shifted(dayOf(now), -back), days);
  }
  for (const [pattern, unit, back] of AROUND) {
    if (pattern.test(text)) return around(now, unit, back);
  }
  const ago = new RegExp(`^(\\d{1,4}|an?|one|two|three) ?${UNIT} ago$`).exec(text) ??
    /^(\d{1,4}) ?([dwmy])(?: ago)?$/.exec(text);
  if (ago !== null) {
    const at = backBy(now, numberOf(ago[1]!), UNITS[ago[2]!] ?? ago[2] as Unit);
    return { from: at, to: at };
  }
  const span = new RegExp(`^(?:the )?(?:last|past) (\\d{1,4}|two|three) ${UNIT}$`).exec(text);
  if (span !== null) {
    return { from: backBy(now, numberOf(span[1]!), span[2] as Unit), to: dayOf(now) };
  }
  const weekday = WEEKDAYS.indexOf(text.replace(/^last /, ""));
  if (weekday < 0) return undefined;
  const back = (now.getDay() - weekday + 7) % 7 || 7;
  return lasting(shifted(dayOf(now), -back), 1);
}

/** Months and days of Chinese, Japanese and Korean. */
const EASTERN =
  /(?:(\d{4})\s*[年년]\s*)?(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*[月월](?:份)?(?:\s*(\d{1,2})\s*[日号號일])?/;
const NUMERALS = ["", ..."一二三四五六七八九", "十", "十一", "十二"];

function inEastAsia(text: string, now: Date): Period | undefined {
  const [whole, year, month, day] = EASTERN.exec(text) ?? [];
  if (whole === undefined || whole.trim() !== text.trim()) return undefined;
  const number = NUMERALS.indexOf(month!) > 0 ? NUMERALS.indexOf(month!) : Number(month);
  return inMonth({ number, day, year }, now);
}

/** `march`, `late march`, `4 march 2026`, `march 4th`, `q1 2026`. */
function named(text: string, now: Date): Period | undefined {
  const quarter = /^q([1-4])(?: (\d{4}))?$/.exec(text);
  if (quarter !== null) {
    const first = (Number(quarter[1]) - 1) * 3 + 1;
    const start = inMonth({ number: first, year: quarter[2] }, now);
    const year = start?.from.slice(0, 4);
    return start && { from: start.from, to: inMonth({ number: first + 2, year }, now)!.to };
  }
  const [, part, rest] = /^(?:the )?(?:(early|mid|late|beginning of|end of)[- ])?(.+)$/.exec(text)!;
  let month: number | undefined, day: string | undefined, year: string | undefined;
  for (const word of rest!.split(" ")) {
    const number = /^(\d{1,2})(?:st|nd|rd|th|\.)?$/.exec(word)?.[1];
    if (month === undefined && MONTHS.has(word)) month = MONTHS.get(word);
    else if (day === undefined && number !== undefined) day = number;
    else if (year === undefined && month !== undefined && /^\d{4}$/.test(word)) year = word;
    else if (!/^(of|de)$/.test(word) || rest!.endsWith(word)) return undefined;
  }
  if (month === undefined) return undefined;
  const whole = inMonth({ number: month, day, year }, now);
  if (whole === undefined || part === undefined || day !== undefined) return whole;
  const [first, last] = PARTS[part.replace("beginning of", "early").replace("end of", "late")]!;
  const at = (day: number) => `${whole.from.slice(0, 8)}${two(day)}`;
  return { from: at(first), to: at(last) < whole.to ? at(last) : whole.to };
}

/** A month or a day of it; without a year the last one that has begun. */
function inMonth(
  { number, day, year }: { number: number; day?: string | undefined; year?: string | undefined },
  now: Date,
): Period | undefined {
  const month = String(number);
  if (year !== undefined) return dayOrMore(year, month, day);
  const thisYear = dayOrMore(String(now.getFullYear()), month, day);
  if (thisYear !== undefined && thisYear.from <= dayOf(now)) return thisYear;
  return dayOrMore(String(now.getFullYear() - 1), month, day);
}

/** A year, a month or a day; undefined if there is no such one. */
function dayOrMore(year?: string, month?: string, day?: string): Period | undefined {
  const y = Number(year);
  const m = Number(month);
  const d = Number(day);
  if (y < 1970 || y > 9998) return undefined;
  if (month === undefined) return { from: `${year}-01-01`, to: `${year}-12-31` };
  const last = m >= 1 && m <= 12 ? new Date(y, m, 0).getDate() : 0;
  if (last === 0 || (day !== undefined && (d < 1 || d > last))) return undefined;
  const at = (day: number) => `${year}-${two(m)}-${two(day)}`;
  return day === undefined ? { from: at(1), to: at(last) } : { from: at(d), to: at(d) };
}

/** The week (from Monday), month or year so many before this one. */
function around(now: Date, unit: Unit, back: number): Period {
  const year = now.getFullYear();
  const month = now.getMonth();
  const day = now.getDate();
  if (unit === "year") return dayOrMore(String(year - back))!;
  if (unit === "month") {
    const first = new Date(year, month - back, 1);
    return dayOrMore(String(first.getFullYear()), String(first.getMonth() + 1))!;
  }
  const monday = day - (now.getDay() + 6) % 7 - 7 * back;
  return lasting(dayOf(new Date(year, month, monday)), 7);
}

/** The day so long ago. */
function backBy(now: Date, count: number, unit: Unit): string {
  const year = now.getFullYear();
  const month = now.getMonth();
  const day = now.getDate();
  if (unit === "year") return dayOf(new Date(year - count, month, day));
  if (unit === "month") return dayOf(new Date(year, month - count, day));
  return dayOf(new Date(year, month, day - count * (unit === "week" ? 7 : 1)));
}

function lasting(from: string, days: number): Period {
  return { from, to: shifted(from, days - 1) };
}

function shifted(day: string, days: number): string {
  const [year, month, date] = day.split("-").map(Number);
  return dayOf(new Date(year!, month! - 1, date! + days));
}

function numberOf(word: string): number {
  return { a: 1, an: 1, one: 1, two: 2, three: 3 }[word] ?? Number(word);
}

function dayOf(moment: Date): string {
  return localTime(moment).day;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** Month by name: alone, beside a day, and short. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  LANGUAGES.flatMap((language) =>
    Array.from({ length: 12 }, (_, month) => {
      const date = new Date(2026, month, 15);
      const alone = (["long", "short"] as const).map((style) =>
        new Intl.DateTimeFormat(language, { month: style }).format(date)
      );
      const beside = new Intl.DateTimeFormat(language, { month: "long", day: "numeric" })
        .formatToParts(date).find(({ type }) => type === "month")?.value;
      return [...alone, beside ?? ""].map((name) => name.toLowerCase().replace(/\.$/, ""))
        .filter((name) => /^\p{L}{3,}$/u.test(name))
        .map((name): [string, number] => [name, month + 1]);
    }).flat()
  ).concat([["sept", 9], ["марте", 3], ["апреле", 4], ["октябре", 10]]).reverse(),
);
