import { wordlist as english } from "@scure/bip39/wordlists/english.js";
import { wordlist as french } from "@scure/bip39/wordlists/french.js";
import { wordlist as portuguese } from "@scure/bip39/wordlists/portuguese.js";
import { wordlist as spanish } from "@scure/bip39/wordlists/spanish.js";
import { once } from "../text/remembered.ts";
import type { SecretSpan } from "./spans.ts";

/** A wallet's phrase has 12 to 24 words of one of these lists (BIP 39); prose never has as many in a row. */
const LISTS = [english, spanish, portuguese, french];
/** The lists that contain a word, one bit per list. */
const listed = once(() => {
  const lists = new Map<string, number>();
  for (const [i, words] of LISTS.entries()) {
    for (const word of words.map(fold)) lists.set(word, (lists.get(word) ?? 0) | 1 << i);
  }
  return lists;
});
/** A longer run than two consecutive phrases is a word list itself. */
const FEWEST = 12, MOST = 48;
/** Words, and separators within a phrase: blanks, commas, quotation marks, numbers. */
const WORD = /[\p{L}\p{M}]+/gu;
const BETWEEN = /^[\s,;"'`|\d.)(\]["-]{1,12}$/;

/** Recovery phrases of wallets. */
export function seedPhrases(text: string): SecretSpan[] {
  /** Consecutive words, with the lists that contain all of them. */
  const runs: { start: number; end: number; lists: number; words: string[] }[] = [];
  const found = [...text.matchAll(WORD)];
  if (found.length < FEWEST) return [];
  for (const { 0: word, index } of found) {
    const folded = fold(word), lists = listed().get(folded) ?? 0;
    const last = runs.at(-1);
    const isNext = last && last.lists & lists && BETWEEN.test(text.slice(last.end, index));
    const run = isNext ? last : { start: index, end: index, lists, words: [] };
    if (!isNext) runs.push(run);
    run.end = index + word.length;
    run.lists &= lists;
    run.words.push(folded);
  }
  // One repeated word is not a phrase.
  return runs.filter(({ lists, words }) =>
    lists !== 0 && words.length >= FEWEST && words.length <= MOST &&
    new Set(words).size > FEWEST / 2
  ).map(({ start, end }) => ({ kind: "seed-phrase", start, end }));
}

function fold(word: string): string {
  const lower = word.toLowerCase();
  return /^[a-z]+$/.test(lower) ? lower : lower.normalize("NFD").replace(/\p{M}/gu, "");
}
