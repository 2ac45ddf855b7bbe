// A rule that was decided in one talk is often several notes: with one of them come the others.

import type { IndexedMemory } from "../index/corpus.ts";
import type { Dropped, FusedHit, FuseOptions } from "./fuse.ts";
import { isWithheld, thresholdOf } from "./fuse.ts";
import { saySame, wordsOf } from "./repeats.ts";

/**
 * Types whose notes may be parts of one rule, and how much lower than the threshold their own score may be, because the
 * conversation vouches for them. On twelve tasks with rules of up to six parts all 24 parts come in place of 17, for 125
 * tokens; on 707 prompts about something else it is 9 memories, 2 tokens a prompt. A trap is a part more rarely.
 */
const MARGINS: Readonly<Record<string, number>> = {
  ...{ decision: 0.1, feedback: 0.1, pattern: 0.1 },
  gotcha: 0.05,
};
const MOST = 5;
/** From so many parts on the talk itself is what the prompt is about, and the others may be further below. */
const SUBJECT = 2, FURTHER = 0.05;

/** The strategy name of a sibling in receipts. */
const SIBLING = "sibling";

/** Whether a hit is given for the sake of the one before it. */
export function isSibling({ strategy }: Pick<FusedHit, "strategy">): boolean {
  return strategy === SIBLING;
}

/**
 * The hits, with the other parts of a rule after the last one of its conversation that is given whole: what was found by
 * itself is not to lose its room to them.
 */
export function withSiblings(
  hits: readonly FusedHit[],
  dropped: readonly Dropped[],
  options: FuseOptions & { /** Hits that may come into the block. */ readonly most: number },
): { readonly hits: readonly FusedHit[]; readonly dropped: readonly Dropped[] } {
  const { most } = options;
  const whole = hits.slice(0, most).filter(({ isWhole }) => isWhole);
  const said = whole.map(({ memory }) => wordsOf(memory));
  const found = new Map<IndexedMemory, FusedHit[]>();
  const taken = new Set<number>();
  for (const { memory } of whole) {
    const others = candidates(hits, dropped).filter((one) =>
      !taken.has(one.memory.id) && areSiblings(memory, one.memory) &&
      !isWithheld(one.memory, options)
    );
    const isWithin = (margin: number) => (one: FusedHit) =>
      one.score >= thresholdOf(one.memory, options) - marginOf(one.memory) - margin;
    const near = others.filter(isWithin(0));
    const siblings = near.length < SUBJECT ? near : others.filter(isWithin(FURTHER));
    for (const one of siblings.slice(0, MOST - taken.size)) {
      const words = wordsOf(one.memory);
      if (said.some((other) => saySame(other, words))) continue;
      said.push(words);
      taken.add(one.memory.id);
      const last = whole.findLast((hit) => isOneTalk(hit.memory, memory))!.memory;
      found.set(last, [...found.get(last) ?? [], one]);
    }
  }
  return {
    hits: hits.filter(({ memory }) => !taken.has(memory.id)).flatMap((hit) => [
      hit,
      ...found.get(hit.memory) ?? [],
    ]),
    dropped: dropped.filter(({ memory }) => !taken.has(memory.id)),
  };
}

/** What was found and is not given whole, rules before traps, best score first. */
function candidates(hits: readonly FusedHit[], dropped: readonly Dropped[]): FusedHit[] {
  const lines = hits.filter(({ isWhole, isChanged }) => !isWhole && !isChanged);
  const low = dropped.filter(({ because }) =>
    because === "below threshold" || because === "far below the best"
  );
  return [...lines, ...low]
    .sort((a, b) =>
      marginOf(b.memory) - marginOf(a.memory) || b.score - a.score || a.memory.id - b.memory.id
    )
    .map(({ memory, score, parts }) => ({
      ...{ memory, score, parts, passage: undefined },
      ...{ strategy: SIBLING, isWhole: true },
    }));
}

function areSiblings(one: IndexedMemory, other: IndexedMemory): boolean {
  return one.id !== other.id && isOneTalk(one, other) && other.type in MARGINS;
}

function marginOf({ type }: IndexedMemory): number {
  return MARGINS[type] ?? 0;
}

/** Whether two memories come from one conversation and one folder: a repository's vouches for none of the user's. */
function isOneTalk(one: IndexedMemory, other: IndexedMemory): boolean {
  return one.session !== undefined && one.session === other.session && one.scope === other.scope;
}
