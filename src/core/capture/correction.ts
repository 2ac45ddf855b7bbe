// Whether a note in other words has all of the old one but the part that was taken back. A model that writes a note anew
// drops a port or a rule on the way; the loss is seen only where what is lost is compared with what was said.

import { CUTOFFS } from "../relation/relate.ts";
import type { Memory } from "../memory/memory.ts";
import { contentTerms, valuesIn } from "../text/language/stopwords.ts";

type Text = Pick<Memory, "name" | "body">;

const CLAUSE_END = /[.;!?](?=\s|$)(?<!\be\.g\.)|[。；]|\n|\s(?:and|but|und|aber|y|pero)\s/u;

/**
 * Whether `now` keeps each clause of a note that what was said is not about, and has no value that nobody has named. A
 * clause that shares a word with what was said may be in other words; to lose a value, it alone must have the word.
 */
export function isCorrection(old: Text, now: Text, said: string): boolean {
  const present = contentTerms(textOf(now)), about = contentTerms(said);
  const values = figuresIn(textOf(now));
  const clauses = old.body.split(CLAUSE_END);
  const terms = clauses.map(contentTerms);
  const count = (word: string) => terms.filter((each) => each.has(word)).length;
  return values.isSubsetOf(figuresIn(`${textOf(old)}\n${said}`)) &&
    [old.name, ...clauses].every((text) => {
      const words = contentTerms(text), shared = [...words.intersection(about)];
      if (shared.length === 0 && words.intersection(present).size < CUTOFFS.kept * words.size) {
        return false;
      }
      return shared.some((word) => count(word) <= 1) || figuresIn(text).isSubsetOf(values);
    });
}

/** The values in a text; a word before a colon is none. */
function figuresIn(text: string): Set<string> {
  return new Set([...valuesIn(text)].filter((value) => !/^\p{L}+$/u.test(value)));
}

function textOf({ name, body }: Text): string {
  return `${name}\n${body}`;
}
