// Function words of the languages that developers write prompts in. In a store of a dozen memories "how" or
// "cómo" may stand in one of them alone and look like its most telling word; and they tell languages apart. Folded
// like index terms; words that also mean something to developers (`for`, `if` and `while` do not tell memories
// apart) are fine here.

import english from "./english_stopwords.txt" with { type: "text" };
import { fold } from "./fold.ts";
import other from "./other_stopwords.txt" with { type: "text" };
import { stem } from "./stem.ts";

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
