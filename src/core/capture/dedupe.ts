// What a candidate has to do with the memories that are known. It takes the place of one only where somebody says so,
// and repeats one only where the texts are equal but for wording; likeness is a reason to ask.

import type { Memory } from "../memory/memory.ts";
import { likeness, relate } from "../relation/relate.ts";
import { folded } from "../text/nearest.ts";

/** The compared parts of a memory. */
export type MemoryText = Pick<Memory, "name" | "description" | "type" | "body">;

/** A memory that exists, or that this capture has decided to write. */
export interface KnownMemory {
  readonly memory: MemoryText;
}

/** What a candidate is: new, or the like of a known memory. */
export interface Verdict<K> {
  readonly kind: "new" | "repeats" | "supersedes";
  readonly known?: K;
}

/** Compares a candidate with the memory that it is said to replace, else with those of its type that may say it. */
export function compare<K extends KnownMemory>(
  candidate: MemoryText,
  known: readonly K[],
  named?: K,
): Verdict<K> {
  if (named !== undefined) return { kind: "supersedes", known: named };
  const ofType = known.filter(({ memory }) => memory.type === candidate.type);
  const repeated = findDuplicate(candidate, ofType);
  return repeated === undefined ? { kind: "new" } : { kind: "repeats", known: repeated };
}

/** The memory which has all that a candidate says. */
export function findDuplicate<K extends KnownMemory>(
  candidate: Omit<MemoryText, "type">,
  known: readonly K[],
): K | undefined {
  return known.find(({ memory }) => relate(memory, candidate)?.answer === "same");
}

/** The memory most like a candidate by its words, its nearest passage's cosine, or its name; undefined if none is like it. */
export function nearest<K extends KnownMemory>(
  candidate: MemoryText,
  known: readonly K[],
  cosineOf?: (known: K) => number | undefined,
): K | undefined {
  const scored = known.map((each) => ({
    each,
    score: likeness(candidate, each.memory, cosineOf?.(each)),
  }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best === 0 ? undefined : scored.find(({ score }) => score === best)!.each;
}

/** Whether two memories have one name and type. */
export function isNamesake(one: Pick<Memory, "name" | "type">, other: typeof one): boolean {
  return folded(one.name) === folded(other.name) && folded(one.type) === folded(other.type);
}
