// Where a prompt gets no text, the titles of what came near the threshold: a title often is the rule itself, and costs
// a fraction of a text.

import type { IndexedMemory } from "../index/corpus.ts";
import type { Dropped, FusedHit, FuseOptions } from "./fuse.ts";
import type { BlockEntry } from "./budget.ts";
import { isWithheld, thresholdOf } from "./fuse.ts";
import { isAsBefore, type Shown } from "./shown.ts";
import { isBinding } from "./title_line.ts";
import { MANY } from "./titles.ts";
import { isMarked } from "../memory/provenance.ts";

/** Which near misses come with a prompt. */
interface Reach {
  /** At most so many, … */
  readonly most: number;
  /** … so far below their type's threshold, … */
  readonly margin: number;
  /** … with at least this share of the best one's score: what is nearer by far is what was meant. */
  readonly nearBest: number;
}

/** How far below its type's threshold a memory may be where most titles stood at the start. */
export const MARGIN = 0.07;
const USUAL: Reach = { most: 2, margin: MARGIN, nearBest: 0.85 };
/** Where nearly all did, few others can come. */
const FEW_LEFT: Reach = { most: 2, margin: 0.12, nearBest: 0.85 };
const NEARLY_ALL = 0.8;
/**
 * In a store that no start can list, prompts go on with its titles, those nearest to what the session is about, also
 * beside a text that may not be meant: at 930 notes .72 of what typed prompts need is in context in place of .61.
 */
const MANY_LEFT: Reach = { most: 6, margin: 0.17, nearBest: 0 };
/** A prompt whose best memory is further below the threshold is about nothing in the store. */
const ABOUT = 0.13;
/** From this margin above it a memory is what was meant. */
const CERTAIN = 0.18;
/** Titles that prompts have added to a session: after so many it has those of its subject. */
const ENOUGH = 40;
/** The best hits, which are looked at for the widest margin. */
const DEEPEST = 24;

/** What was imported in bulk is needed more rarely, and a rule more often by what does not resemble it. */
const IMPORTED = -0.05, BINDING = 0.03;

/** How far below the threshold a hit of this rank may be and still come. */
export function marginAt(rank: number): number {
  return rank < DEEPEST ? MANY_LEFT.margin : FEW_LEFT.margin;
}

export interface NearMissOptions extends FuseOptions {
  readonly shown: Pick<Shown, "seen" | "listed" | "pointed" | "turns">;
  /** Memories that apply. */
  readonly size: number;
  /** What is given already. */
  readonly given: readonly Pick<BlockEntry, "fused">[];
}

/** The best of what was dropped for its score alone, and has no title in this conversation yet. */
export function nearMisses(dropped: readonly Dropped[], options: NearMissOptions): Dropped[] {
  const { shown, given } = options;
  const reach = reachOf(options);
  const { most, margin, nearBest } = reach;
  const isContinued = reach === MANY_LEFT;
  if (isContinued ? given.some(({ fused }) => isSure(fused, options)) : given.length > 0) return [];
  const isNear = ({ memory, score }: Pick<Dropped, "memory" | "score">) =>
    score >= thresholdOf(memory, options) - Math.min(margin, ABOUT);
  if (given.length === 0 && !dropped.some(isNear)) return [];
  const best = Math.max(0, ...dropped.map(({ score }) => score));
  const place = ({ memory, score }: Dropped) => score + edgeOf(memory, isContinued);
  const near = dropped.filter(({ memory, score, because }) =>
    (because === "below threshold" || (isContinued && because === "far below the best")) &&
    score >= nearBest * best &&
    score + (isContinued ? 0 : edgeOf(memory)) >= thresholdOf(memory, options) - margin &&
    !isAsBefore(memory, shown.listed) && !isAsBefore(memory, shown.pointed) && !isMarked(memory)
  ).map((miss) => ({ miss, place: place(miss) }))
    .sort((a, b) => b.place - a.place || a.miss.memory.id - b.miss.memory.id);
  const found: Dropped[] = [];
  for (const { miss } of near) {
    if (found.length >= most - given.length) break;
    if (!isWithheld(miss.memory, options)) found.push(miss);
  }
  return found;
}

/** Whether a memory that is given is what was meant, by all that is known. */
export function isSure(
  { memory, score }: Pick<FusedHit, "memory" | "score">,
  options: Pick<FuseOptions, "config">,
): boolean {
  return score >= thresholdOf(memory, options) + CERTAIN;
}

function reachOf({ shown, size }: NearMissOptions): Reach {
  const told = new Set([...shown.listed.keys(), ...shown.seen.keys()]).size;
  if (told >= NEARLY_ALL * size) return FEW_LEFT;
  return size > MANY && shown.pointed.size < ENOUGH ? MANY_LEFT : USUAL;
}

function edgeOf(memory: IndexedMemory, isContinued = false): number {
  if (memory.importedFrom !== undefined) return IMPORTED;
  return isContinued && isBinding(memory) ? BINDING : 0;
}
