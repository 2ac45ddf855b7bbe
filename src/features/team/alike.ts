import { CUTOFFS, jaccard, saysSame, termsOf } from "../../core/relation/relate.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { type Entry, memoryOf } from "./entry.ts";
import type { Team } from "./fold.ts";

/** An approved note that a proposal repeats, or says otherwise. */
export interface Alike {
  readonly id: string;
  readonly name: string;
  /** `same`: it says nothing beyond it. `differs`: much the same words, and a value or a `not` that differs. */
  readonly how: "same" | "differs";
}

/** The approved notes that a reviewer should see beside a proposal, by the check that `memo dream` merges by. */
export function alikeIn({ notes }: Team, proposal: Entry): Alike[] {
  const own = textOf(proposal);
  return notes.flatMap(({ id, current }): Alike[] => {
    if (current === undefined || id === proposal.id) return [];
    const other = textOf(current.proposal);
    const isSame = saysSame(own, other);
    if (!isSame && jaccard(termsOf(own), termsOf(other)) < CUTOFFS.beside) return [];
    return [{ id, name: other.name, how: isSame ? "same" : "differs" }];
  });
}

/** A proposal as a memory; made once, since what is compared of it is kept with it. */
function textOf(proposal: Entry): Memory {
  const known = TEXTS.get(proposal) ?? memoryOf(proposal);
  TEXTS.set(proposal, known);
  return known;
}

const TEXTS = new WeakMap<Entry, Memory>();
