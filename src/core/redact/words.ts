// The words that announce a secret, by language. To add a language, add it to `words.json`.

import ordinaryWords from "./ordinary_words.txt" with { type: "text" };
import languages from "./words.json" with { type: "json" };

/** Words by language, between commas; matched regardless of case and accents; a blank can be a sign or nothing: `api_key`. */
const LANGUAGES: readonly {
  readonly language: string;
  /** Words for a password: any value they announce is secret. */
  readonly passwords: string;
  /** Words for a code of digits. */
  readonly codes?: string;
  /** Words for a key or token, which have other meanings too: the value must look like one. */
  readonly keys: string;
  /** Words that announce a secret only as the end of a name, as in `STRIPE_KEY`: the value must be random. */
  readonly parts?: string;
  /** Words between the word and its value: "is". */
  readonly is: string;
}[] = languages;

/** Scripts without blanks between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/** Whether a word stands in a text without blanks around it. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** A word that announces a secret. */
export interface SecretWord {
  /** In lower case. */
  readonly word: string;
  readonly isPassword: boolean;
  /** Whether it means a password of digits alone. */
  readonly isCode: boolean;
  /** Whether it announces a secret only as the end of a name, and one that is random. */
  readonly isPart?: boolean;
  /** Whether it is in a script without blanks: the value can follow immediately. */
  readonly isUnspaced: boolean;
}

/** Every word that announces a secret, with and without accents; longer ones first. */
export const SECRET_WORDS: readonly SecretWord[] = LANGUAGES.flatMap((
  { passwords, codes, keys, parts },
) => [
  ...spellings(passwords).map((word) => ({ word, isPassword: true, isCode: false })),
  ...spellings(codes ?? "").map((word) => ({ word, isPassword: true, isCode: true })),
  ...spellings(keys).map((word) => ({ word, isPassword: false, isCode: false })),
  ...spellings(parts ?? "")
    .map((word) => ({ word, isPassword: false, isCode: false, isPart: true })),
]).map((each) => ({ ...each, isUnspaced: isUnspaced(each.word) }))
  .filter(({ word }, i, all) => all.findIndex((other) => other.word === word) === i)
  .toSorted((a, b) => b.word.length - a.word.length);

/** The words for "is" between a word and its value. */
export const IS: readonly string[] = [...new Set(LANGUAGES.flatMap(({ is }) => spellings(is)))]
  .filter((word) => word !== "a").sort((a, b) => b.length - a.length);

/** Whether a word announces a secret. */
export function isSecretWord(word: string): boolean {
  return WORDS.has(word.toLowerCase());
}

const WORDS: ReadonlySet<string> = new Set(SECRET_WORDS.map(({ word }) => word));

/**
 * Words said of passwords in code and prose that are not passwords: types, states and properties. English ends most of
 * these with -ed and -ing, Romance languages with -ado, -ée and -ible; those need no entry.
 */
const ORDINARY: ReadonlySet<string> = new Set(ordinaryWords.trim().split(/\s+/));

/** What makes a compound with a word for a password before it, as regular expressions. */
export const COMPOUNDS: readonly string[] =
  `managers? resets? polic(?:y|ies) fields? prompts? hash(?:es|ing|er)? strength generators? inputs? files? stores? rotation
checks? checker validation based protected protection length auth authentication login boxe?s? forms? rules? changes? recovery
pages? screens? dialogs? errors? handling requirements? type name url id limit budget count usage encryption expiry expiration
less grant flow endpoint provider authority ring board value`.split(/\s+/);

/** Whether a word is ordinary in talk about passwords, and so not the password. */
export function isOrdinary(word: string): boolean {
  const folded = word.toLowerCase();
  return ORDINARY.has(folded) || isSecretWord(folded) ||
    /(?:[^e]ed|ing|able|ible|ada|ado|adas|ados|ida|ido|idas|idos|ée|és|ées|iert|ato|ata|uto|uta)$/u
      .test(folded);
}

/** The spellings of a comma-separated list of words: composed, decomposed, without accents, and with signs for blanks. */
function spellings(list: string): string[] {
  const all = list.split(",").map((word) => word.trim().toLowerCase()).filter((word) => word !== "")
    .flatMap((word) => [
      word,
      word.normalize("NFD"),
      word.normalize("NFD").replace(/[\u0300-\u036f]/gu, "").normalize("NFC"),
    ]).flatMap((word) => [" ", "_", "-", ".", ""].map((sign) => word.replaceAll(" ", sign)));
  return [...new Set(all)];
}
