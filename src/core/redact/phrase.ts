// Passphrases: several words that are not prose.

import { isStopword } from "../text/language/stopwords.ts";
import { isOrdinary } from "./words.ts";

/** Whether a text is a passphrase as a whole. */
export function isPhrase(text: string): boolean {
  const words = wordsOf(text);
  return words.length >= 3 && /^[\p{L}\d -]+$/u.test(text) && isPhraseOf(words);
}

/** The passphrase at the start of a text, up to the end of the clause, when a word announces one. */
export function phraseAfter(word: string, text: string): string | undefined {
  const [phrase] = /^["'`“«]?\p{L}{2,12}(?:[ -]\p{L}{2,12}){2,11}(?=["'`”».,;!?)\n]| →|$)/u
    .exec(text.slice(0, 200)) ?? [];
  if (phrase === undefined) return undefined;
  const words = wordsOf(phrase);
  if (/phrase|frase|satz/.test(word)) {
    return words.length >= 3 && (isOddPhrase(words) || isPhraseOf(words)) ? phrase : undefined;
  }
  return words.length >= 4 && isPhraseOf(words) ? phrase : undefined;
}

function wordsOf(phrase: string): string[] {
  return phrase.split(/[^\p{L}\d]+/u).filter((word) => word !== "");
}

/** Prose has function words, and says what is required, invalid or stored. */
function isPhraseOf(words: readonly string[]): boolean {
  return words.every((word) => !isStopword(word.toLowerCase()) && !isOrdinary(word)) &&
    new Set(words).size > 2 && words.slice(1).every((word) => word === word.toLowerCase());
}

/** A few function words can be part of a stated passphrase ("harrier over reeds"); many are prose. */
function isOddPhrase([first = "", ...rest]: readonly string[]): boolean {
  const functional = [first, ...rest].filter((word) => isStopword(word.toLowerCase())).length;
  const share = functional / (1 + rest.length);
  return rest.length >= 3 && share < 0.25 && !isStopword(first.toLowerCase()) &&
    (functional === 0 || !isOrdinary(first)) && !rest.some(isOrdinary);
}
