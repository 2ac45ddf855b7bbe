// Whether a redacted text is worth keeping: "the password is [redacted:assigned]" says no more than its mark.

import { fold } from "../text/language/fold.ts";
import { isStopword } from "../text/language/stopwords.ts";
import { MARK } from "./spans.ts";
import { IS, isUnspaced, SECRET_WORDS } from "./words.ts";

const LETTER = /[\p{L}\p{N}]/u;
/** Words that announce a secret, or stand between them and it. */
const ANNOUNCING = new RegExp(
  [...SECRET_WORDS.map(({ word }) => word), ...IS].filter((word) => LETTER.test(word))
    .map((word) =>
      isUnspaced(word) ? word : `(?<![\\p{L}\\p{M}\\p{N}])${word}(?![\\p{L}\\p{M}\\p{N}])`
    ).join("|"),
  "giu",
);

/** Whether nothing is left of a text but the marks of what was taken out of it, and words that announce secrets. */
export function isAllRedacted(text: string): boolean {
  const rest = text.replace(MARK, " ");
  if (rest === text) return false;
  const words = rest.replace(ANNOUNCING, " ").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.every((word) => isStopword(fold(word)));
}
