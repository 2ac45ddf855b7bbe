// What the titles at a session's start have in common: those that nearly repeat another, and the topics of many.

import generalWords from "./general_words.txt" with { type: "text" };
import { hash } from "node:crypto";
import { areNear, NEAR, TextWords } from "./repeats.ts";
import { analyze } from "../text/analyze.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { isStopword } from "../text/language/stopwords.ts";

/** The places of the titles that nearly repeat an earlier one. */
export const repeatsIn = rememberingLists(findRepeats);

/** The lists that a daemon's sessions begin with: those of a few projects, and of their subagents. */
const LISTS = 8;

/**
 * A function of titles that keeps its last results: one session after the other begins with the same. The titles themselves
 * are not kept: those of a project with 1,000 memories took 20 MB.
 */
export function rememberingLists<T>(
  work: (titles: readonly string[]) => T,
): (titles: readonly string[]) => T {
  let last: { readonly digest: string; readonly result: T }[] = [];
  return (titles) => {
    const digest = hash("sha256", JSON.stringify(titles));
    const found = last.find((one) => one.digest === digest) ?? { digest, result: work(titles) };
    last = [found, ...last.filter((one) => one !== found)].slice(0, LISTS);
    return found.result;
  };
}

function findRepeats(titles: readonly string[]): ReadonlySet<number> {
  const words = titles.map(wordsOf);
  const containing = new Map<string, number>();
  for (const { terms } of words) {
    for (const term of terms) containing.set(term, (containing.get(term) ?? 0) + 1);
  }
  const repeats = new Set<number>();
  const earlier = new Map<string, number[]>();
  for (const [place, one] of words.entries()) {
    // Two titles that share so many of their words share one of these, the rarest of each.
    const rarest = [...one.terms].sort((a, b) =>
      containing.get(a)! - containing.get(b)! || (a < b ? -1 : 1)
    ).slice(0, one.terms.size - Math.ceil(NEAR * one.terms.size) + 1);
    const others = new Set(rarest.flatMap((term) => earlier.get(term) ?? []));
    if ([...others].some((other) => areNear(one, words[other]!))) repeats.add(place);
    else {
      for (const term of rarest) {
        const places = earlier.get(term);
        if (places === undefined) earlier.set(term, [place]);
        else places.push(place);
      }
    }
  }
  return repeats;
}

/** The words of titles that were looked at before: a daemon begins many sessions with the same ones. */
const known = new Map<string, TextWords>();
const MOST_KNOWN = 10_000;

/** A title's words. */
export function wordsOf(title: string): TextWords {
  let words = known.get(title);
  if (words === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(title, words = new TextWords(title));
  }
  return words;
}

/** What several titles are about. */
export interface TitleTopic {
  /** The word that they share, as most of them have it. */
  readonly name: string;
  readonly titles: number;
}

/** Of more memories in a project those near to its work come first, and what is left out is counted by topic. */
export const MANY = 300;
const MOST = 16;
/** What is left out is counted by topic in so many characters. */
export const TOPICS_CHARS = 300;
/** Words that many notes share, whatever they are about, in the languages that most notes are in. */
const GENERAL: ReadonlySet<string> = new Set(analyze(generalWords));
const FEWEST = 3;
/** A word that more of all titles have does not tell them apart: a project's name, or how a tool begins each. */
const TELLING = 0.9;
const WORD = /[\p{L}\p{N}\p{M}]+(?:[_.-][\p{L}\p{N}\p{M}]+)*/gu;

/** The words that most of some titles share, each title counted with the first of them that it has. */
export const topicsOf = rememberingLists(findTopics);

function findTopics(titles: readonly string[]): readonly TitleTopic[] {
  const termsOf = titles.map((title) => [...wordsOf(title).terms].filter(isTelling));
  const counts = new Map<string, number>();
  for (const term of termsOf.flat()) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [term, count] of counts) if (count > TELLING * titles.length) counts.delete(term);
  let left = titles.map((_, i) => i);
  const topics: TitleTopic[] = [];
  while (topics.length < MOST) {
    const term = commonestOf(counts);
    if (term === undefined) break;
    const members = left.filter((i) => termsOf[i]!.includes(term));
    left = left.filter((i) => !termsOf[i]!.includes(term));
    for (const each of members.flatMap((i) => termsOf[i]!)) {
      if (counts.has(each)) counts.set(each, counts.get(each)! - 1);
    }
    topics.push({ name: nameOf(term, members.map((i) => titles[i]!)), titles: members.length });
  }
  return topics;
}

function commonestOf(counts: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined, most = FEWEST;
  for (const [term, count] of counts) {
    if (count < most || (count === most && best !== undefined && term > best)) continue;
    best = term;
    most = count;
  }
  return best;
}

function isTelling(term: string): boolean {
  return !isStopword(term) && !GENERAL.has(term) && !/^\p{N}+$/u.test(term) &&
    (term.length > 2 || /[^a-z0-9]/.test(term));
}

/** The commonest word with a term. */
function nameOf(term: string, titles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const title of titles) {
    const word = title.match(WORD)?.find((word) => analyze(word).includes(term)) ?? term;
    const name = word.length <= MAX_NAME ? word : term;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]![0];
}

/** A longer word is a run of a script without spaces. */
const MAX_NAME = 24;

/** How many titles are left out, and what they are about, the commonest first; of an import only what. */
export function countOf(omitted: number, topics: readonly TitleTopic[] = [], from = ""): string {
  const more = `(${omitted} more${from}`;
  let text = more;
  for (const { name, titles } of topics) {
    const lead = text !== more ? ", " : from === "" ? ", by topic: " : ", mostly about ";
    const next = text + lead + neutraliseLine(name) + (from === "" ? ` ${titles}` : "");
    if (next.length + 1 > TOPICS_CHARS) break;
    text = next;
  }
  return `${text})`;
}
