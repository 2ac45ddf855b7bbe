import { analyze } from "../text/analyze.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { isStopword } from "../text/language/stopwords.ts";
import generalWords from "./general_words.txt" with { type: "text" };
import { rememberingLists, wordsOf } from "./near_titles.ts";

/** What several titles are about. */
export interface Topic {
  /** The word that they share, as most of them have it. */
  readonly name: string;
  readonly titles: number;
}

const MOST = 16;
/** What is left out is counted by topic in so many characters. */
export const TOPICS_CHARS = 300;
/** Words that many notes share, whatever they are about, in the languages that most notes are in. */
const GENERAL: ReadonlySet<string> = new Set(analyze(generalWords));
/** Fewer titles are no topic. */
const FEWEST = 3;
/** A word that more of all titles have does not tell them apart: a project's name, or how a tool begins each. */
const TELLING = 0.9;
const WORD = /[\p{L}\p{N}\p{M}]+(?:[_.-][\p{L}\p{N}\p{M}]+)*/gu;

/** The words that most of some titles share, each title counted with the first of them that it has. */
export const topicsOf = rememberingLists(findTopics);

function findTopics(titles: readonly string[]): readonly Topic[] {
  const termsOf = titles.map((title) => [...wordsOf(title).terms].filter(isTelling));
  const counts = new Map<string, number>();
  for (const term of termsOf.flat()) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [term, count] of counts) if (count > TELLING * titles.length) counts.delete(term);
  let left = titles.map((_, i) => i);
  const topics: Topic[] = [];
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
export function countOf(omitted: number, topics: readonly Topic[] = [], from = ""): string {
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
