// Which memories say the same, found without a language model. Two rules whose words are alike may be opposites ("use
// X", "don't use X"), or about two things ("port of staging", "port of production"): a pair counts only if one has
// every word of the other in its order, the same values, and the same words that turn or limit a sentence.

import type { Memory } from "../../memory/memory.ts";
import { isSuspectMemory, provenanceOf } from "../../memory/provenance.ts";
import { breathe } from "./breathe.ts";
import { analyze } from "../../text/analyze.ts";

/** The compared parts of a memory. */
export type Compared = Pick<
  Memory,
  "name" | "description" | "type" | "body" | "tags" | "pinned" | "confidence"
>;

/** A memory and those that say nothing beyond it. */
export interface Duplicates<M> {
  readonly kept: M;
  readonly others: readonly M[];
}

/** The shorter text has at least this share of the longer one's words. */
const SHARE = 0.6;
/** Shorter bodies must be equal word for word. */
const LEAST_WORDS = 4;
/** Words that change nothing. */
const FILLERS = new Set(
  analyze(
    "a an the this that these it its is are was were be been our we us you your please just also really very simply " +
      "el la los las un una unos unas por favor le les une des der die das ein eine bitte il lo gli i uno o os as um uma",
  ),
);
/** Words that turn or limit what a sentence says. */
const TURNS = new Set([
  ...("not no never nor none neither without avoid except only unless until instead stop forbidden wrong old former " +
    "cannot can't won't don't doesn't didn't isn't aren't wasn't shouldn't mustn't needn't before after if when may must " +
    "should optional required deprecated disable disabled enable enabled off on less more least most")
    .split(" "),
  ..."nunca jamás sin solo sólo salvo excepto evita evitar antes después ni tampoco si cuando"
    .split(" "),
  ..."jamais pas sans sauf seulement éviter avant après ne si quand aucun aucune".split(" "),
  ..."nicht kein keine keinen nie niemals ohne nur außer vor nach statt wenn".split(" "),
  ..."non mai senza solo tranne evitare prima dopo não nunca sem só exceto antes depois se".split(
    " ",
  ),
  ..."не нет никогда без только кроме до после если нельзя".split(" "),
]);
/** The same in scripts without spaces. */
const TURN_SIGNS = /[不没沒別别未非勿禁否無无仅僅只]|ない|ません|なし|ず|않|안 |못|금지|없/gu;
/** Numbers, paths, hosts, options and other words with a sign or digit in them. */
const VALUE = /[\p{L}\p{N}_~@$./:\\-]*[\p{N}_@$/:\\][\p{L}\p{N}_~@$./:\\%-]*|--?[\p{L}][\w-]*/gu;

/** The groups of memories that say the same; each memory is in at most one. */
export async function findDuplicates<M extends Compared>(
  memories: readonly M[],
): Promise<Duplicates<M>[]> {
  const entries: Entry<M>[] = [];
  for (const [i, memory] of memories.entries()) {
    await breathe(i);
    if (!isSuspectMemory(memory)) entries.push(entryOf(memory));
  }
  entries.sort(worthiestFirst);
  const byWord = new Map<string, Entry<M>[]>();
  const groups = new Map<M, M[]>();
  for (const [i, entry] of entries.entries()) {
    await breathe(i);
    // The kept one of a group has every word of the others, so also their rarest.
    const near = entry.rarest === undefined ? [] : byWord.get(entry.rarest) ?? [];
    const kept = near.find((other) => saysSame(entry, other));
    if (kept !== undefined) {
      groups.set(kept.memory, [...groups.get(kept.memory) ?? [], entry.memory]);
    } else {
      for (const word of entry.all) {
        if (!byWord.has(word)) byWord.set(word, []);
        byWord.get(word)!.push(entry);
      }
    }
  }
  return [...groups].map(([kept, others]) => ({ kept, others }));
}

/** A memory with what is compared of it. */
interface Entry<M> {
  readonly memory: M;
  readonly key: string;
  /** Its words in order, without fillers. */
  readonly body: readonly string[];
  readonly all: ReadonlySet<string>;
  readonly rarest: string | undefined;
  readonly turns: string;
  readonly values: string;
}

function entryOf<M extends Compared>(memory: M): Entry<M> {
  const { name, description, body, type } = memory;
  const text = `${name}\n${description}\n${body}`;
  const words = wordsOf(body === "" ? `${name}\n${description}` : body);
  const all = new Set([...wordsOf(name), ...wordsOf(description), ...words]);
  return {
    memory,
    key: `${type}\n${provenanceOf(memory) ?? ""}`,
    body: words,
    all,
    rarest: words.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0],
    turns: turnsIn(body === "" ? text : body),
    values: [...valuesIn(text)].sort().join(" "),
  };
}

function saysSame<M>(shorter: Entry<M>, longer: Entry<M>): boolean {
  return shorter.key === longer.key && shorter.turns === longer.turns &&
    shorter.values === longer.values &&
    shorter.body.length >= SHARE * longer.body.length &&
    (shorter.body.length >= LEAST_WORDS || shorter.body.length === longer.body.length) &&
    isWithin(shorter.body, longer.body) &&
    [...shorter.all].every((word) => longer.all.has(word));
}

/** Whether all words are in a longer sequence, in the same order. */
function isWithin(words: readonly string[], sequence: readonly string[]): boolean {
  let at = 0;
  for (const word of sequence) if (word === words[at]) at++;
  return at === words.length;
}

/** The kept one comes first: pinned, longer, surer; the order does not depend on that of the files. */
function worthiestFirst<M extends Compared>(
  { memory: a, ...left }: Entry<M>,
  { memory: b, ...right }: Entry<M>,
) {
  return right.body.length - left.body.length || Number(b.pinned) - Number(a.pinned) ||
    right.all.size - left.all.size || b.confidence - a.confidence ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function wordsOf(text: string): string[] {
  return analyze(text).filter((word) => !FILLERS.has(word));
}

/** The values in a text. */
export function valuesIn(text: string): Set<string> {
  const found = text.toLowerCase().match(VALUE)?.map(trimmed) ?? [];
  return new Set(found.filter((value) => value !== ""));
}

/** The words that turn or limit a text, in order. */
export function turnsIn(text: string): string {
  const words = text.toLowerCase().replaceAll("’", "'").match(/[\p{L}']+/gu) ?? [];
  return [...words.filter((word) => TURNS.has(word)), ...text.match(TURN_SIGNS) ?? []].join(" ");
}

function trimmed(value: string): string {
  return value.replace(/^[.:\\-]+(?=[\p{L}\p{N}])|[.:\\-]+$/gu, "");
}
