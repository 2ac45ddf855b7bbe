import { wordlist as english } from "@scure/bip39/wordlists/english.js";
import { wordlist as french } from "@scure/bip39/wordlists/french.js";
import { wordlist as portuguese } from "@scure/bip39/wordlists/portuguese.js";
import { wordlist as spanish } from "@scure/bip39/wordlists/spanish.js";
import type { Span } from "./spans.ts";

/** A wallet's phrase has 12 to 24 words of one of these lists (BIP 39); prose never has as many in a row. */
const LISTS = [english, spanish, portuguese, french];
/** The lists that contain a word, one bit per list. */
const LISTED: ReadonlyMap<string, number> = (() => {
  const listed = new Map<string, number>();
  for (const [i, words] of LISTS.entries()) {
    for (const word of words.map(fold)) listed.set(word, (listed.get(word) ?? 0) | 1 << i);
  }
  return listed;
})();
const FEWEST = 12;
/** Two consecutive phrases; a longer run is a word list itself. */
const MOST = 48;
/** Words, and separators within a phrase: blanks, commas, quotation marks, numbers. */
const WORD = /[\p{L}\p{M}]+/gu;
const BETWEEN = /^[\s,;"'`|\d.)(\]["-]{1,12}$/;

/** Recovery phrases of wallets. */
export function seedPhrases(text: string): Span[] {
  const spans: Span[] = [];
  let run: Run | undefined;
  const close = () => {
    // One repeated word is not a phrase.
    if (
      run !== undefined && run.count >= FEWEST && run.count <= MOST && run.words.size > FEWEST / 2
    ) {
      spans.push({ kind: "seed-phrase", start: run.start, end: run.end });
    }
    run = undefined;
  };
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = fold(word);
    const lists = LISTED.get(folded) ?? 0;
    if (run !== undefined && (run.lists & lists) === 0) close();
    if (lists === 0) continue;
    if (run !== undefined && !BETWEEN.test(text.slice(run.end, index))) close();
    run ??= { start: index, end: index, lists, words: new Set(), count: 0 };
    run.end = index + word.length;
    run.lists &= lists;
    run.words.add(folded);
    run.count++;
  }
  close();
  return spans;
}

/** Consecutive words from one list. */
interface Run {
  readonly start: number;
  end: number;
  /** The lists that contain all of them. */
  lists: number;
  readonly words: Set<string>;
  count: number;
}

function fold(word: string): string {
  const lower = word.toLowerCase();
  return /^[a-z]+$/.test(lower) ? lower : lower.normalize("NFD").replace(/\p{M}/gu, "");
}
