// A prompt may ask for two things, of which the store has a note each: "how do I indent Go and YAML?" The prompt as a whole
// is nearer to one of them; the other one's title says which it is.

import type { IndexedMemory } from "../index/corpus.ts";
import { analyze } from "../text/analyze.ts";
import { contentTerms, isStopword } from "../text/language/stopwords.ts";

/** Words between two things of one kind, in the languages that most prompts are in. */
const BETWEEN = new Set(["and", "or", "und", "oder", "y", "o", "e", "et", "ou", "ed", "и", "или"]);
/** A name may look like a function word: `Go`. */
const NAME = /(?<=\S )\p{Lu}\p{Ll}+/gu;

/**
 * Whether the title of a memory names one of two things that a prompt asks for at once, where those that are kept name the
 * other alone; by the prompt's terms, in order.
 */
export function secondIn(
  terms: readonly string[],
): (memory: IndexedMemory, kept: readonly { readonly memory: IndexedMemory }[]) => boolean {
  const pairs = terms.flatMap((term, at) => {
    const second = BETWEEN.has(term)
      ? terms.slice(at + 1, at + 3).find((next) => !isStopword(next))
      : undefined;
    return at === 0 || second === undefined ? [] : [[terms[at - 1]!, second] as const];
  });
  return (memory, kept) =>
    pairs.some(([first, second]) => {
      const own = titleTerms(memory), others = kept.map((one) => titleTerms(one.memory));
      const isNamed = (term: string) => others.some((title) => title.has(term));
      const isOnly = (term: string, other: string) =>
        own.has(term) && !isNamed(term) && isNamed(other);
      return isOnly(first, second) || isOnly(second, first);
    });
}

function titleTerms({ name }: IndexedMemory): ReadonlySet<string> {
  return contentTerms(name).union(new Set(analyze(name.match(NAME)?.join(" ") ?? "")));
}
