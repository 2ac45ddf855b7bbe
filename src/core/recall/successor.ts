// What no score has found though it has taken a memory's place: the nearest newer one of its type, on the same thing.

import { CUTOFFS } from "../relation/relate.ts";
import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { ageInDays } from "../memory/age.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { hasTrait } from "../memory/types.ts";
import { contentTerms } from "../text/language/stopwords.ts";
import { isElsewhere, relationsAmong } from "./overtaken.ts";

/**
 * The nearest newer memory of the same type, if its words say so; or it has a word in its name that the older name has
 * and few memories have, and neither of the two is further from the other than this from anything else: a store has many
 * notes about the same thing, none of which replaces another.
 */
export async function successorOf(
  memory: IndexedMemory,
  { corpus, folders, now }: {
    readonly corpus: Corpus;
    readonly folders: readonly MemoryFolder[];
    readonly now: Date;
  },
): Promise<IndexedMemory | undefined> {
  const { near, days, lookedAt, further } = CUTOFFS.successor;
  const age = ageInDays(memory, now);
  if (!hasTrait(memory.type, "replaceable") || age < days) return undefined; // nothing can be so much newer
  const others = corpus.of({ types: [memory.type] });
  const nearestTo = async ({ id }: IndexedMemory) => {
    const vector = await corpus.vectorOf(id);
    return vector === undefined ? [] : await others.nearest(vector, { limit: lookedAt });
  };
  const found = await nearestTo(memory);
  const cosines = new Map(found.map((hit) => [hit.memory, hit.cosine]));
  const neighbours = await corpus.memories([...cosines.keys()]);
  const relations = await relationsAmong([memory, ...neighbours], { corpus, folders });
  for (const other of neighbours) {
    const isOther = other.scope !== memory.scope || isElsewhere(other);
    if (isOther || age - ageInDays(other, now) < days) continue;
    const saysSo = relations.conflict(memory, other) === "overtaken";
    if (saysSo && !await relations.areOfOneSession(memory, other)) return other;
    const cosine = cosines.get(other.id)!;
    if (cosine < near || !await haveNameInCommon(memory, other, corpus)) continue;
    const rest = [...found, ...await nearestTo(other)]
      .filter((hit) => hit.memory !== memory.id && hit.memory !== other.id);
    if (rest.every((hit) => hit.cosine <= cosine + further)) return other;
  }
  return undefined;
}

/** `don't` is no word that tells names apart. */
const CONTRACTED = /\p{L}+['’]\p{L}{1,2}(?!\p{L})/gu;

async function haveNameInCommon(a: IndexedMemory, b: IndexedMemory, corpus: Corpus) {
  const words = ({ name }: IndexedMemory) => contentTerms(name.replace(CONTRACTED, " "));
  const { documents, containing } = await corpus.statistics([...words(a).intersection(words(b))]);
  const { rare, rareAtLeast } = CUTOFFS.successor;
  return containing.some((count) => count <= Math.max(rareAtLeast, rare * documents));
}
