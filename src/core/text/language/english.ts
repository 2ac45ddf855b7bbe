// A developer's words in other languages and what they are in English. Words find only what is spelt like them, and a
// model is surer within a language than across two; with this, word by word, a Spanish prompt finds an English memory
// and an English one a Spanish memory. It is a list of words, not a translator: no grammar, one sense a word.
//
// A line of `glossary.txt` is an English word (the first goes to the model, all of them are looked up), and its Spanish,
// Portuguese, French, Italian, German, Russian, Chinese, Japanese and Korean words, in no order. `*` stands for any ending.
// Where a word stands on two lines the first counts. Memories are translated when they are indexed, so a change there
// changes `src/core/index/database.ts` too; its test says so.

import { fold } from "../analyze.ts";
import GLOSSARY from "./glossary.txt" with { type: "text" };
import { isForeignStopword, namesIn, tellsLanguage } from "./stopwords.ts";

/** Written without spaces: words are found in the middle of a run. */
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々";
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "gu");
const RUSSIAN = /^\p{Script=Cyrillic}/u;
const WORD = /[\p{L}\p{M}]+/gu;
/** A run of an unspaced script, a word, or whatever is neither. */
const PIECE = new RegExp(`(?<run>[${UNSPACED}]+)|(?<word>[\\p{L}\\p{M}]+)|[^\\s\\p{L}'’]+`, "gu");

/** Shortest stem, and longest ending, of a word that `*` stands for. */
const MIN_STEM = 3, MAX_ENDING = 7;

/** A text in English as far as the glossary goes; undefined for one that is English already, or wholly unknown. */
export function inEnglish(text: string) {
  const normal = text.normalize("NFC");
  if (!isForeign(normal)) return undefined;
  const said: string[] = [], words: string[] = [], unknown: string[] = [];
  const say = (meanings: readonly string[]) => {
    said.push(meanings[0]!);
    words.push(...meanings);
  };
  for (const { 0: piece, groups } of normal.matchAll(PIECE)) {
    const run = groups?.["run"], word = groups?.["word"];
    if (word !== undefined && isForeignStopword(foldWord(word))) continue;
    const meanings = word === undefined ? undefined : meaningsOf(foldWord(word));
    const known = run !== undefined ? meaningsInRun(run) : meanings === undefined ? [] : [meanings];
    known.forEach(say);
    if (known.length === 0 && run === undefined) said.push(piece);
    if (known.length === 0) unknown.push(piece);
  }
  return words.length === 0 ? undefined : { text: said.join(" "), words, unknown };
}

/** Whether a text is in another language than English: by its script, its function words, or its words. */
export function isForeign(text: string): boolean {
  const unspaced = text.match(UNSPACED_LETTER)?.length ?? 0;
  const words = text.match(WORD)?.map(foldWord) ?? [];
  if (unspaced >= 2 && unspaced * 2 > words.length) return true;
  let english = 0, other = 0;
  const names = namesIn(text);
  for (const word of words) {
    if (names.has(word)) continue;
    const language = RUSSIAN.test(word) ? "other" : tellsLanguage(word);
    if (language === "English") english++;
    if (language === "other") other++;
  }
  if (other < english || (other > 1 && other > english)) return other > english;
  // Too few function words to tell (`non-fast-forward` has one, `borrar rama remota` none): its other words decide.
  // `command` is as good English as `comando` is Spanish.
  const looksLike = (word: string, other: string) => word.slice(0, 4) === other.slice(0, 4);
  const known = words.filter((word) => meaningsOf(word)?.every((other) => !looksLike(word, other)));
  const needed = other > english ? 1 : words.length / (other > 0 ? 3 : 1.5);
  return known.length > 0 && known.length >= needed;
}

function foldWord(word: string): string {
  return fold(word.replaceAll("ß", "ss"));
}

let glossary: ReturnType<typeof readGlossary> | undefined;

/** Read when the first text in another language comes. */
function theGlossary() {
  return glossary ??= readGlossary();
}

/** Words as they are, most of them in the singular, and beginnings of words. */
function readGlossary() {
  const exact = new Map<string, readonly string[]>(), stems = new Map(exact);
  let longest = 0;
  for (const line of GLOSSARY.trim().split("\n")) {
    const [english, others] = line.split(": ") as [string, string];
    const meanings = english.split(" ");
    for (const word of others.split(" ")) {
      const isStem = word.endsWith("*");
      const key = foldWord(isStem ? word.slice(0, -1) : word);
      const map = isStem ? stems : exact;
      if (!map.has(key)) map.set(key, meanings);
      longest = Math.max(longest, key.length);
    }
  }
  return { exact, stems, longest };
}

function meaningsOf(word: string): readonly string[] | undefined {
  const { exact, stems } = theGlossary();
  for (const singular of singularsOf(word)) {
    const meanings = exact.get(singular);
    if (meanings !== undefined) return meanings;
  }
  for (let end = word.length; end >= Math.max(MIN_STEM, word.length - MAX_ENDING); end--) {
    const meanings = stems.get(word.slice(0, end));
    if (meanings !== undefined) return meanings;
  }
  return undefined;
}

/** A word and its possible singulars: `archivos`, `errores`, `réseaux`, `Dateien`. */
function singularsOf(word: string): string[] {
  const ending = word.length > 3 ? /(e?s|e?n|x)$/.exec(word)?.[0] ?? "" : "";
  return [0, 1, 2].slice(0, ending.length + 1).map((cut) => word.slice(0, word.length - cut));
}

/** The known words in a text without spaces, the longest first where they overlap. */
function meaningsInRun(run: string): (readonly string[])[] {
  const { exact, longest } = theGlossary();
  const found: (readonly string[])[] = [];
  for (let at = 0; at < run.length;) {
    let end = Math.min(run.length, at + longest);
    while (end > at && !exact.has(run.slice(at, end))) end--;
    if (end > at) found.push(exact.get(run.slice(at, end))!);
    at = Math.max(end, at + 1);
  }
  return found;
}
