import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { ageInDays } from "../memory/age.ts";
import { hasTrait } from "../memory/types.ts";
import { contentTerms } from "../text/content_terms.ts";
import { type FusedHit } from "./fuse.ts";
import { isAsBefore, type Shown } from "./shown.ts";

/**
 * A successor is at least this near, so much newer, and has a word in its name that the older name has and few memories
 * have. On coding-agent 7 memories get one: 4 have been replaced by it, 3 are about the same matter; of 5 replaced
 * memories of these types 4 are found.
 */
const NEAR = 0.48, DAYS = 7, RARE = 0.06, RARE_AT_LEAST = 3;
/** Neighbours to look at. */
const LOOKED_AT = 5;

export interface SuccessorOptions {
  readonly corpus: Corpus;
  readonly shown: Pick<Shown, "seen">;
  readonly now: Date;
  /** Hits to look at: those that may come into the block. */
  readonly most: number;
  /** Memories that are not for such prompts. */
  readonly refused?: ReadonlySet<number>;
}

/** The hits, each after the memory that has probably replaced it: what is out of date must not stand alone. */
export async function withSuccessors(
  hits: readonly FusedHit[],
  { corpus, shown, now, most, refused }: SuccessorOptions,
): Promise<FusedHit[]> {
  const given = new Set([...hits.map(({ memory }) => memory.id), ...refused ?? []]);
  const all: FusedHit[] = [];
  for (const [rank, hit] of hits.entries()) {
    const found = rank < most ? await successorOf(hit.memory, corpus, now) : undefined;
    if (found !== undefined && !given.has(found.id) && !isAsBefore(found, shown.seen)) {
      given.add(found.id);
      all.push({ ...hit, memory: found, passage: undefined, strategy: SUCCESSOR });
    }
    all.push(hit);
  }
  return all;
}

/** The strategy name of a successor in receipts. */
const SUCCESSOR = "successor";

/** The nearest newer memory of the same type, if it is about the same thing. */
async function successorOf(
  memory: IndexedMemory,
  corpus: Corpus,
  now: Date,
): Promise<IndexedMemory | undefined> {
  const age = ageInDays(memory, now);
  if (!hasTrait(memory.type, "replaceable") || age < DAYS) return undefined; // nothing can be so much newer
  const vector = await corpus.vectorOf(memory.id);
  if (vector === undefined) return undefined;
  const near = await corpus.of({ types: [memory.type] }).nearest(vector, { limit: LOOKED_AT });
  const ids = near.filter(({ cosine }) => cosine >= NEAR).map((hit) => hit.memory);
  for (const other of await corpus.memories(ids)) {
    if (other.scope !== memory.scope || age - ageInDays(other, now) < DAYS) continue;
    if (await haveNameInCommon(memory, other, corpus)) return other;
  }
  return undefined;
}

/** `don't` is no word that tells names apart. */
const CONTRACTED = /\p{L}+['’]\p{L}{1,2}(?!\p{L})/gu;

async function haveNameInCommon(a: IndexedMemory, b: IndexedMemory, corpus: Corpus) {
  const words = ({ name }: IndexedMemory) => contentTerms(name.replace(CONTRACTED, " "));
  const { documents, containing } = await corpus.statistics([...words(a).intersection(words(b))]);
  return containing.some((count) => count <= Math.max(RARE_AT_LEAST, RARE * documents));
}
