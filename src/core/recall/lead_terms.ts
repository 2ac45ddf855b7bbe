import { contentTerms } from "../text/language/stopwords.ts";
import type { IndexedMemory } from "../index/corpus.ts";

const terms = new WeakMap<IndexedMemory, ReadonlySet<string>>();

/** The content words of a memory's title and of its first paragraph. */
export function leadTerms(memory: IndexedMemory): ReadonlySet<string> {
  let found = terms.get(memory);
  if (found === undefined) {
    const [rule = ""] = memory.body.split(/\n\s*\n/, 1);
    terms.set(memory, found = contentTerms(`${memory.name}\n${rule}`));
  }
  return found;
}
