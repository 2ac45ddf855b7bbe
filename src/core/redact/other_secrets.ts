// The second of two secrets in a sentence: "the password went from X to Y", "la contraseña era X, ahora es Y".

import { FRAME_END, isLikelySecret, isNumberedName, isOdd, isScrambled } from "./likely.ts";
import type { SecretSpan } from "./spans.ts";
import type { SecretWordPlace } from "./tables.ts";

/** How much of a sentence is read on either side of the word. */
const REACH = 120;
/** A password can end with a sign. */
const SENTENCE_END = /\n|\.(?=\s)|(?<=\p{L})[!?](?=\s)/u;
/** What stands between two secrets, in any language: short words, an arrow. */
const BETWEEN = /^(?:[\p{L}\p{M}'’]{1,10}|[-=–—→>]{1,3})[,:]?$/u;
const MAX_BETWEEN = 4;
/** A name as hosts and services have it: "mail2", "eu-west-1". */
const HOST = /^[a-z\d.-]+$/;
const STANDING = { isPassword: true, isFar: true };

/**
 * The secrets of a sentence beside those that were found behind its word for one. Two strange words with a few others
 * between are two secrets; what is not beside one must be random.
 */
export function otherSecrets(
  text: string,
  { at, end, word: { isPassword } }: SecretWordPlace,
  found: readonly SecretSpan[],
): SecretSpan[] {
  const before = text.slice(Math.max(0, at - REACH), at).split(SENTENCE_END).at(-1)!;
  const [after] = text.slice(end, end + REACH).split(SENTENCE_END, 1);
  const start = at - before.length;
  const sentence = text.slice(start, end + after!.length);
  if (!/\d/.test(sentence) || /[{}()[\]=<|]/.test(sentence)) return []; // prose, code
  const words = [...sentence.matchAll(/[^\s"'`“”„«»]+/g)].map(({ 0: word, index }) => {
    const value = word.replace(FRAME_END, "");
    const span = { kind: "assigned", start: start + index, end: start + index + value.length };
    const isFound = found.some((each) => each.start < span.end && each.end > span.start);
    const isStrange = /\d/.test(value) && !/[/:\\]/.test(value) && isOdd(value) &&
      isLikelySecret(value, STANDING) && !isNumberedName(value) &&
      (isPassword && !HOST.test(value) || isScrambled(value));
    return { word, value, span, isFound, isStrange };
  });
  const isBeside = (others: typeof words) => {
    const other = others.slice(0, MAX_BETWEEN + 1)
      .find(({ word, isStrange, isFound }) => isStrange || isFound || !BETWEEN.test(word));
    return other !== undefined && (other.isFound || found.length === 0 && other.isStrange);
  };
  return words.filter(({ value, isStrange, isFound }, i) =>
    isStrange && !isFound &&
    (found.length > 0 && isScrambled(value) || isBeside(words.slice(i + 1)) ||
      isBeside(words.slice(0, i).toReversed()))
  ).map(({ span }) => span);
}
