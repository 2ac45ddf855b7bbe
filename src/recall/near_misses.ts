// Where a prompt gets no block, the titles of what came near the threshold: a title often is the rule itself, and costs
// a fraction of a text.

import type { Dropped, FuseOptions } from "./fuse.ts";
import { isWithheld, thresholdOf } from "./fuse.ts";
import { isAsBefore, type Shown } from "./shown.ts";
import { mayStand } from "../memory/provenance.ts";

/** How far below its type's threshold a memory may be, … */
export const MARGIN = 0.07;
/** … and where nearly all titles stood at the start, so that few others can come. */
export const WIDEST_MARGIN = 0.12;
const NEARLY_ALL = 0.8;
/** What is nearer by far is what was meant. */
const NEAR_BEST = 0.85;
const MOST = 2;

export interface NearMissOptions extends FuseOptions {
  readonly shown: Pick<Shown, "seen" | "listed" | "pointed" | "turns">;
  /** Memories that apply. */
  readonly size: number;
}

/** The best of what was dropped for its score alone, and has no title in this conversation yet. */
export function nearMisses(dropped: readonly Dropped[], options: NearMissOptions): Dropped[] {
  const { shown, size } = options;
  const told = new Set([...shown.listed.keys(), ...shown.seen.keys()]).size;
  const margin = told >= NEARLY_ALL * size ? WIDEST_MARGIN : MARGIN;
  const best = Math.max(0, ...dropped.map(({ score }) => score));
  return dropped.filter(({ memory, score, because }) =>
    because === "below threshold" && score >= NEAR_BEST * best &&
    score >= thresholdOf(memory, options) - margin &&
    !isWithheld(memory, options) && !isAsBefore(memory, shown.listed) &&
    !isAsBefore(memory, shown.pointed) && mayStand(memory)
  ).sort((a, b) => b.score - a.score || a.memory.id - b.memory.id).slice(0, MOST);
}
