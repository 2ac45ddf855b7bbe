// What no score has found though it has taken a memory's place: the nearest newer one of its type, on the same thing.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { ageInDays } from "../memory/age.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { hasTrait } from "../memory/types.ts";
import { contentTerms } from "../text/content_terms.ts";
import { isElsewhere, type IsOneTalk, rivalryIn } from "./overtaken.ts";

/**
 * What no score has found is the successor of a memory if it is at least this near, so much newer, has a word in its name
 * that the older name has and few memories have, and neither of the two is further from the other than this from anything
 * else: a store has many notes about the same thing, none of which replaces another.
 */
const SUCCESSOR = { near: 0.48, days: 7, rare: 0.06, rareAtLeast: 3, lookedAt: 5, further: 0.07 };

interface Options {
  readonly corpus: Corpus;
  readonly folders: readonly MemoryFolder[];
  readonly now: Date;
  readonly isOneTalk: IsOneTalk;
}

/** The nearest newer memory of the same type, if its words say so, or it is about the same thing. */
export async function successorOf(
  memory: IndexedMemory,
  { corpus, folders, isOneTalk, now }: Options,
): Promise<IndexedMemory | undefined> {
  const { near, days, lookedAt, further } = SUCCESSOR;
  const age = ageInDays(memory, now);
  if (!hasTrait(memory.type, "replaceable") || age < days) return undefined; // nothing can be so much newer
  const others = corpus.of({ types: [memory.type] });
  const nearestTo = async ({ id }: IndexedMemory) => {
    const vector = await corpus.vectorOf(id);
    return vector === undefined ? [] : await others.nearest(vector, { limit: lookedAt });
  };
  const found = await nearestTo(memory);
  const cosines = new Map(found.map((hit) => [hit.memory, hit.cosine]));
  for (const other of await corpus.memories([...cosines.keys()])) {
    const isOther = other.scope !== memory.scope || isElsewhere(other);
    if (isOther || age - ageInDays(other, now) < days) continue;
    const saysSo = rivalryIn(memory, other, folders) === "overtaken";
    if (saysSo && !await isOneTalk(memory, other)) return other;
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
  const { rare, rareAtLeast } = SUCCESSOR;
  return containing.some((count) => count <= Math.max(rareAtLeast, rare * documents));
}
