// What no score has found though it has taken a memory's place: the nearest newer one of its type, on the same thing.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { ageInDays } from "../memory/age.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { hasTrait } from "../memory/types.ts";
import { contentTerms } from "../text/content_terms.ts";
import { isElsewhere, type IsOneTalk, rivalryIn } from "./overtaken.ts";

/**
 * What no score has found is the successor of a memory if it is at least this near, so much newer, and has a word in its
 * name that the older name has and few memories have. On coding-agent 7 memories get one: 4 have been replaced by it, 3
 * are about the same matter; of 5 replaced memories of these types 4 are found.
 */
const SUCCESSOR = { near: 0.48, days: 7, rare: 0.06, rareAtLeast: 3, lookedAt: 5 } as const;

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
  const { near, days, lookedAt } = SUCCESSOR;
  const age = ageInDays(memory, now);
  if (!hasTrait(memory.type, "replaceable") || age < days) return undefined; // nothing can be so much newer
  const vector = await corpus.vectorOf(memory.id);
  if (vector === undefined) return undefined;
  const found = await corpus.of({ types: [memory.type] }).nearest(vector, { limit: lookedAt });
  const isNear = new Set(found.filter(({ cosine }) => cosine >= near).map((hit) => hit.memory));
  for (const other of await corpus.memories(found.map((hit) => hit.memory))) {
    const isOther = other.scope !== memory.scope || isElsewhere(other);
    if (isOther || age - ageInDays(other, now) < days) continue;
    const saysSo = rivalryIn(memory, other, folders) === "overtaken";
    if (saysSo && !await isOneTalk(memory, other)) return other;
    if (!isNear.has(other.id)) continue;
    if (await haveNameInCommon(memory, other, corpus)) return other;
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
