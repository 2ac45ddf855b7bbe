import { jaccard, termsOf } from "../capture/dedupe.ts";
import { saysSame, statementsOf } from "../memory/same.ts";
import { type Entry, memoryOf } from "./entry.ts";
import type { Team } from "./fold.ts";

/** An approved note that a proposal repeats, or says otherwise. */
export interface Alike {
  readonly id: string;
  readonly name: string;
  /** `same`: it says nothing beyond it. `differs`: much the same words, and a value or a `not` that differs. */
  readonly how: "same" | "differs";
}

/** Share of common words from which a reviewer is shown a note beside a proposal. */
const NEAR = 0.4;

/** The approved notes that a reviewer should see beside a proposal, by the check that `memo dream` merges by. */
export function alikeIn({ notes }: Team, proposal: Entry): Alike[] {
  const memory = memoryOf(proposal);
  const own = statementsOf(memory);
  const terms = termsOf(memory);
  return notes.flatMap(({ id, current }): Alike[] => {
    if (current === undefined || id === proposal.id) return [];
    const other = memoryOf(current.proposal);
    const isSame = saysSame(own, statementsOf(other));
    if (!isSame && jaccard(terms, termsOf(other)) < NEAR) return [];
    return [{ id, name: other.name, how: isSame ? "same" : "differs" }];
  });
}
