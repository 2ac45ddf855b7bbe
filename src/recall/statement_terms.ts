import { contentTerms } from "../text/content_terms.ts";
import type { Memory } from "../memory/memory.ts";

type Stated = Pick<Memory, "name" | "body">;

const known = new WeakMap<Stated, ReadonlySet<string>>();

/** The content words of a memory's title and of its first paragraph. */
export function statementTerms(memory: Stated): ReadonlySet<string> {
  let found = known.get(memory);
  if (found === undefined) {
    const [rule = ""] = memory.body.split(/\n\s*\n/, 1);
    known.set(memory, found = contentTerms(`${memory.name}\n${rule}`));
  }
  return found;
}
