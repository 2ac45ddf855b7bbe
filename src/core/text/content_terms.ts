// What of a text tells: its words but for function words, its values, and the words that turn what it says.

import { analyze } from "./analyze.ts";
import { isStopword } from "./language/stopwords.ts";

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
const TURNS = new Set((
  "not no never nor none neither without avoid except only unless until instead stop forbidden wrong old former " +
  "cannot can't won't don't doesn't didn't isn't aren't wasn't shouldn't mustn't needn't before after if when may must " +
  "should optional required deprecated disable disabled enable enabled off on less more least most " +
  "nunca jamás sin solo sólo salvo excepto evita evitar antes después ni tampoco si cuando " +
  "jamais pas sans sauf seulement éviter avant après ne quand aucun aucune " +
  "nicht kein keine keinen nie niemals ohne nur außer vor nach statt wenn " +
  "non mai senza tranne evitare prima dopo não sem só exceto depois se " +
  "не нет никогда без только кроме до после если нельзя"
).split(" "));
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
