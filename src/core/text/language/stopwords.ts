// Function words of the languages that developers write prompts in. In a store of a dozen memories "how" or
// "cómo" may stand in one of them alone and look like its most telling word; and they tell languages apart. Folded
// like index terms; words that also mean something to developers (`for`, `if` and `while` do not tell memories
// apart) are fine here.

import english from "./english_stopwords.txt" with { type: "text" };
import other from "./other_stopwords.txt" with { type: "text" };
import { analyze, fold, stem } from "../analyze.ts";
import { wordList } from "../tables.ts";

const ENGLISH = words(english);

/** Spanish, Portuguese, French, German, Italian and Russian. */
const OTHER = words(other);

const ALL: ReadonlySet<string> = new Set(
  [...ENGLISH, ...OTHER].flatMap((word) => [word, stem(word)]),
);

/** Whether an index term is a function word, which says nothing about the subject. */
export function isStopword(term: string): boolean {
  return ALL.has(term);
}

/** Whether a folded word is a function word of English and of no other language here, or the other way round. */
export function tellsLanguage(word: string): "English" | "other" | undefined {
  if (ENGLISH.has(word)) return OTHER.has(word) ? undefined : "English";
  return OTHER.has(word) ? "other" : undefined;
}

/** Whether a folded word is a function word of a language other than English. */
export function isForeignStopword(word: string): boolean {
  return OTHER.has(word);
}

const WORDS = /[\p{L}\p{M}]+/gu;
const CAPITALS = /^\p{Lu}{2,}$/u;

/**
 * The folded words of a text that look like function words and are none: `TODO` in capitals among others that are not,
 * and `todo` as the only one of another language in an English text.
 */
export function namesIn(text: string): ReadonlySet<string> {
  const all = text.match(WORDS) ?? [];
  const shouts = all.every((word) => word === word.toUpperCase());
  const names = new Set(text.match(CALL)?.map(fold));
  const foreign = new Set<string>();
  let isEnglish = false;
  for (const word of all) {
    const folded = fold(word);
    const language = tellsLanguage(folded);
    if (language === "English") isEnglish = true;
    if (language !== "other") continue;
    if (!shouts && CAPITALS.test(word)) names.add(folded);
    else foreign.add(folded);
  }
  return isEnglish && foreign.size === 1 ? names.union(foreign) : names;
}

/** A function, by how it is written: `:has(p)`, `.where(x)`, `set()`; not `if(x)` and `name(s)`. */
const CALL = /(?<=[.:])[a-z]+(?=\()|\b[a-z]+(?=\(\))/gi;

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/).map(fold));
}

// What of a text tells: its words but for function words, its values, and the words that turn what it says.
/** The terms of a text but for function words. */
export function contentTerms(text: string): Set<string> {
  return new Set(analyze(text).filter((term) => !isStopword(term)));
}

/** The values in a text, in lower case: numbers, paths, hosts, options, other words with a sign or digit in them. */
export function valuesIn(text: string): Set<string> {
  const found = text.toLowerCase().match(VALUE)?.map(trimmed) ?? [];
  return new Set(found.filter((value) => value !== ""));
}

/** The words that turn or limit a text, in order. */
export function turnsIn(text: string): string {
  const words = text.toLowerCase().replaceAll("’", "'").match(/[\p{L}']+/gu) ?? [];
  return [...words.filter((word) => TURNS.has(word)), ...text.match(TURN_SIGNS) ?? []].join(" ");
}

/** Whether two texts have the same values, and turn or limit what they say by the same words. */
export function haveSameFacts(one: string, other: string): boolean {
  return turnsIn(one) === turnsIn(other) &&
    valuesIn(one).symmetricDifference(valuesIn(other)).size === 0;
}

/** Words that turn or limit what a sentence says. */
const TURNS = new Set(wordList("turns"));
/** The same in scripts without spaces. */
const TURN_SIGNS = /[不没沒別别未非勿禁否無无仅僅只]|ない|ません|なし|ず|않|안 |못|금지|없/gu;
/** Begins where a word does: tried at each of its letters, a long word takes the square of its length. */
const VALUE =
  /(?<![\p{L}\p{N}_~@$./:\\-])[\p{L}\p{N}_~@$./:\\-]*[\p{N}_@$/:\\][\p{L}\p{N}_~@$./:\\%-]*|--?[\p{L}][\w-]*/gu;

function trimmed(value: string): string {
  return value.replace(/^[.:\\-]+(?=[\p{L}\p{N}])|[.:\\-]+$/gu, "");
}

/** Whether a text denies or forbids something, in any of the languages. */
export function isNegated(text: string): boolean {
  return NEGATED.test(text);
}

const NEGATED =
  /(?<![\p{L}\p{N}])(?:not?|never|without|avoid|stop|cannot|\p{L}+n['’]t|nicht|nie|niemals|kein\p{L}*|ohne|nunca|jamás|sin|ne|pas|jamais|sans|non|mai|senza|não|sem|не|никогда)(?![\p{L}\p{N}])|[不没沒别別勿無无]|ない|않|없/iu;
