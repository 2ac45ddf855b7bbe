import { jaccard, termsOf } from "../../core/capture/dedupe.ts";
import { saysSame, type Statements, statementsOf } from "../../core/relation/same.ts";
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
  const own = sayingOf(proposal);
  return notes.flatMap(({ id, current }): Alike[] => {
    if (current === undefined || id === proposal.id) return [];
    const other = sayingOf(current.proposal);
    const isSame = saysSame(own.said, other.said);
    if (!isSame && jaccard(own.terms, other.terms) < NEAR) return [];
    return [{ id, name: other.name, how: isSame ? "same" : "differs" }];
  });
}

/** What a proposal says; found once for all that it is compared with. */
function sayingOf(proposal: Entry): Saying {
  const known = SAYINGS.get(proposal);
  if (known !== undefined) return known;
  const memory = memoryOf(proposal);
  const saying = { name: memory.name, said: statementsOf(memory), terms: termsOf(memory) };
  SAYINGS.set(proposal, saying);
  return saying;
}

const SAYINGS = new WeakMap<Entry, Saying>();

interface Saying {
  readonly name: string;
  readonly said: Statements;
  readonly terms: ReadonlySet<string>;
}
