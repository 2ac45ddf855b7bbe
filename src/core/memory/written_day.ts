// The days that a memory names from the day it was written get their dates, because nobody knows later which "next Monday"
// was meant. Precise rather than complete: what can mean two days, or a duration, stays as it is, and the memory's
// title has its day.

import { type RelativeDay, relativeDays } from "../text/relative_day.ts";
import { localTime } from "../text/counted.ts";
import { visible } from "../text/neutralise.ts";
import { anyOf, isRule } from "../text/rule.ts";
import { wordList } from "../text/tables.ts";
import { titleOf } from "./title.ts";
import type { Memory } from "./memory.ts";

/** A phrase and the day that it means. */
export interface WrittenDay {
  readonly phrase: string;
  readonly day: string;
}

type DayTexts = Pick<Memory, "name" | "description" | "body">;

/** A memory with the dates of the days that it names, what they are, and phrases that may mean a day and have none. */
export interface DatedMemory<M extends DayTexts> {
  readonly memory: M;
  readonly days: readonly WrittenDay[];
  readonly left: readonly string[];
}

/**
 * Puts the dates of relative days into the texts of a memory written at a moment; what it said `before`, if it was there,
 * was written earlier, and stays.
 */
export async function withDays<M extends DayTexts>(
  memory: M,
  { at, before }: { readonly at: Date; readonly before?: DayTexts | undefined },
): Promise<DatedMemory<M>> {
  const old = `${before?.name}\n${before?.description}\n${before?.body}`.toLowerCase();
  const days = new Map<string, string>(), left = new Set<string>();
  const date = async (text: string) => {
    let dated = "", done = 0;
    for (const { phrase, end, distance } of await daysIn(text, at)) {
      if (old.includes(phrase.toLowerCase())) continue;
      if (distance === undefined) left.add(phrase);
      else {
        const { day } = localTime(daysAfter(at, distance));
        days.set(phrase, day);
        dated += `${text.slice(done, end)} (${day})`;
        done = end;
      }
    }
    return dated + text.slice(done);
  };
  const { name, description } = memory, title = titleOf(memory.body);
  const body = await date(memory.body), its = titleOf(body);
  const dated = {
    name: name === title.name ? its.name : await date(name),
    description: description === title.sentence ? its.sentence : await date(description),
    body,
  };
  return {
    memory: { ...memory, ...dated },
    days: [...days].map(([phrase, day]) => ({ phrase, day })),
    left: [...left],
  };
}

/** Which days phrases were taken to mean, in words. */
export function formatDays(days: readonly WrittenDay[]): string {
  return days.map(({ phrase, day }) => `“${visible(phrase)}” as ${day}`).join(", ");
}

interface FoundDay {
  readonly phrase: string;
  /** Where its date goes. */
  readonly end: number;
  /** Days from that of writing; undefined: it may mean a day, but which is not certain. */
  readonly distance: number | undefined;
}

/** What is no statement of the writer's: code, quotations, addresses. */
const QUOTED =
  /```[^]*?(?:```|(?![^]))|`[^`\n]*`|^[ \t]*>.*$|"[^"\n]{0,300}"|“[^”\n]{0,300}”|„[^“”\n]{0,300}[“”]|«[^»\n]{0,300}»|\b[a-z]{2,12}:\/\/\S+|\]\([^)\n]{0,300}\)/gm;
/** Characters on both sides of a phrase that it is read with. */
const BESIDE = 40;
/** Maximum phrases: what has more is a calendar. */
const MOST = 50;
const SENTENCE = /(?:[^.!?。\n]|[.!?](?=\S))+/g;
/** What is so again and again names no day, and what goes on behind a colon is an example. */
const AGAIN = new RegExp(`${anyOf("always")}|:\\s*$`, "iu");
/** Words before a noun: "por la mañana", "hver morgen". */
const BEFORE_NOUN = new RegExp(
  `(?<!\\p{L})(?:${wordList("articles").join("|")}|est[ae]|cada|hver|elke|iedere|jeden) $`,
  "iu",
);
/** Behind a phrase: a name goes on ("Tomorrow Night"), it is anyone's day ("tomorrow's plan"), or its date is said. */
const NAME = /^ \p{Lu}/u, OWNER = /^['’]s(?!\p{L})/u;
const SAID =
  /^,? ?[([]|^,? (?:the |den |el |le |il )?(?:\d{1,2}\.?(?:st|nd|rd|th)? \p{L}{3}|\d{4}-|\p{Lu}\p{L}{2,9}\.? \d)/u;

async function daysIn(text: string, at: Date): Promise<FoundDay[]> {
  const plain = text.replace(QUOTED, (quoted) => quoted.replace(/[^\n]/g, "_"));
  const found: FoundDay[] = [];
  let looked = 0;
  for (const { 0: sentence, index } of plain.matchAll(SENTENCE)) {
    for (const day of AGAIN.test(sentence) ? [] : relativeDays(sentence)) {
      if (looked++ === MOST) return found;
      const meant = day.kind === "counted"
        ? await countedDay(day, sentence, at)
        : namedDay(day, sentence);
      const behind = sentence.slice(meant?.end);
      if (meant === undefined || day.isDated || OWNER.test(behind) || SAID.test(behind)) continue;
      found.push({ ...meant, end: index + meant.end });
    }
  }
  return found;
}

/** The day, or days, of words that need no calendar; undefined: they are a name, or a noun. */
function namedDay(
  { text, index, kind, distance }: RelativeDay,
  sentence: string,
): FoundDay | undefined {
  const end = index + text.length, before = sentence.slice(Math.max(0, index - BESIDE), index);
  const isName = /^\p{Lu}/u.test(text) &&
    (/\p{L}/u.test(before) || NAME.test(sentence.slice(end)));
  if (kind === "now" || isName || BEFORE_NOUN.test(before)) return undefined;
  return { phrase: text, end, distance };
}

/** The languages of which the calendar's readings are taken. */
const CALENDARS = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "ru", "ja", "zh"] as const;
/** The days of a week from that of writing on, and the first of the next. */
const WEEK = [0, 1, 2, 3, 4, 5, 6, 7];

/** The day of "next Monday" or "3 days ago", if it is the same for everybody. */
async function countedDay(
  { index, text }: RelativeDay,
  sentence: string,
  at: Date,
): Promise<FoundDay | undefined> {
  const chrono = await import("chrono-node"); // 50 ms, and few memories need it
  const start = Math.max(0, index - BESIDE), beside = sentence.slice(start, index + BESIDE);
  for (const language of CALENDARS) {
    for (const read of chrono[language].parse(beside, at)) {
      const phrase = read.text.replace(/[\s,;:]+$/, "");
      const from = start + read.index, end = from + phrase.length;
      if (from > index || end <= index || read.end !== null) continue;
      const [distance = NaN, ...others] = WEEK.map((days) => {
        const day = daysAfter(at, days), its = chrono[language].parse(phrase, day)[0]?.date();
        return its === undefined ? NaN : dayNumber(its) - dayNumber(day);
      });
      if (others.pop() !== distance) continue; // a date does not move with the day of writing
      if (others.every((other) => other * distance > 0)) {
        const isSure = others.every((other) => other === distance) || isNextWeek(at, distance);
        return { phrase, end, distance: isSure ? distance : undefined };
      }
      // The nearest one, before or after: of a weekday alone, and of a rule, it may be any.
      const isAny = isRule(sentence) || phrase.length <= text.length;
      return isAny ? undefined : { phrase, end, distance: undefined };
    }
  }
  return undefined;
}

/** Whether a day is in the week before or after another for everybody: with Monday as its first day, or Sunday; and within seven days. */
function isNextWeek(at: Date, distance: number): boolean {
  const day = dayNumber(at), days = Math.abs(distance);
  return days >= 2 && days <= 7 &&
    [3, 4].every((first) =>
      Math.abs(Math.floor((day + distance + first) / 7) - Math.floor((day + first) / 7)) === 1
    );
}

/** The number of a day of the local calendar. */
function dayNumber(at: Date): number {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000;
}

/** Noon, so many days after another of the local calendar. */
function daysAfter(at: Date, days: number): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 12);
}
