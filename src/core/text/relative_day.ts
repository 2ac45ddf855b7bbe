// Days that a text names from the day it was written: "tomorrow", "next Monday", "vor drei Tagen". Their words are in a
// table that `tools/relative_days.ts` makes of CLDR, in the languages that memo reads.

import table from "./relative_days.tsv" with { type: "text" };
import { once } from "./remembered.ts";

/** What a text calls a day, or days, from the day it was written. */
export interface RelativeDay {
  readonly text: string;
  readonly index: number;
  /**
   * `day`: one that the words alone tell; `counted`: perhaps one that a calendar tells, "3 days ago", or a weekday that has
   * more words beside it; `period`: more than a day, or a duration; `now`: the present, or perhaps no time at all.
   */
  readonly kind: "day" | "counted" | "period" | "now";
  /** Of a `day`: how many days from that of writing. */
  readonly distance: number | undefined;
  /** Whether its date is behind it. */
  readonly isDated: boolean;
}

/** Scripts without spaces between words. */
const GLUED = /[\p{Script=Han}\p{Script=Hangul}]/u;
const WORDS = /[\p{Ll}\p{Lu}\p{Lo}\p{M}]+/gu;
/** The date behind a phrase, after the rest of it: "lundi prochain (2026-11-30)". */
const DATE = /([^().\n]{0,24}?) \(\d{4}-\d\d-\d\d\)/y;

/** Nothing, or that date. */
const BETWEEN = /^(?: \(\d{4}-\d\d-\d\d\))?\s*$/;

/** The phrases of the table, with their kind, or their distance in days. */
const PHRASES: ReadonlyMap<string, string> = new Map(
  plainly(table.trimEnd()).split("\n").flatMap((row) => {
    const [kind, phrases] = row.split("\t") as [string, string];
    return phrases.split("|").map((phrase) => [phrase, kind] as const);
  }),
);

/** Regular expressions of all phrases, and of those that are counted; and a word of each phrase: a text without any has none. */
const phrases = once(() => {
  const all = [...PHRASES.keys()].toSorted((a, b) => b.length - a.length);
  const spaced = all.filter((phrase) => !GLUED.test(phrase));
  const glued = all.filter((phrase) => GLUED.test(phrase));
  const counted = all.filter((phrase) => PHRASES.get(phrase) === "counted");
  return {
    all: new RegExp(
      `(?<![\\p{L}\\p{N}_./-])(?:${anyOf(spaced)})(?![\\p{L}\\p{N}_/-]|\\.\\p{L})|${anyOf(glued)}`,
      "gu",
    ),
    counted: new RegExp(`^(?:${anyOf(counted)})$`, "u"),
    words: new Set(
      spaced.map((phrase) => phrase.match(WORDS)!.reduce((a, b) => b.length > a.length ? b : a)),
    ),
  };
});

/** A number, in digits or as a word. */
const NUMBERS = { spaced: "[\\p{L}\\p{N}]{1,12}", glued: "[\\p{N}一二两三四五六七八九十]{1,4}" };

function anyOf(some: readonly string[]): string {
  return some.map((phrase) =>
    phrase.replace(/[.]/g, "\\.").replace("#", NUMBERS[GLUED.test(phrase) ? "glued" : "spaced"])
      .replace(/\s+/g, "\\s*")
      .replace("'", "['’ʼ]")
  ).join("|");
}

function plainly(text: string): string {
  return text.replace(/[’ʼ]/g, "'");
}

/** The phrases of a text that mean a day, or days, seen from the day it was written; of two in a row the first. */
export function relativeDays(text: string): RelativeDay[] {
  const { all, counted, words } = phrases();
  // Of the same length: "İ" alone becomes longer. To match without case costs a prompt 20 ms.
  const lower = text.replace(/İ/g, "I").toLowerCase();
  const isPossible = GLUED.test(text) ||
    lower.match(WORDS)?.some((word) => words.has(word)) === true;
  if (!isPossible) return [];
  const found: RelativeDay[] = [];
  let end = -1;
  for (const { 0: phrase, index } of lower.matchAll(all)) {
    const isSecond = end >= 0 && BETWEEN.test(lower.slice(end, index));
    end = DATE.lastIndex = index + phrase.length;
    if (isSecond) continue; // "Freitag morgen" is a morning
    const known = PHRASES.get(plainly(phrase.replace(/\s+/g, " ")));
    const kind = known ?? (counted.test(phrase) ? "counted" : "period"), distance = Number(kind);
    const at = { text: text.slice(index, end), index, isDated: DATE.test(text) };
    found.push(
      Number.isNaN(distance)
        ? { ...at, kind: kind as RelativeDay["kind"], distance: undefined }
        : { ...at, kind: "day", distance },
    );
  }
  return found;
}

/** A text without the dates behind such phrases. */
export function withoutDates(text: string): string {
  return relativeDays(text).filter(({ isDated }) => isDated).reduceRight((before, day) => {
    DATE.lastIndex = day.index + day.text.length;
    return before.replace(DATE, "$1");
  }, text);
}
