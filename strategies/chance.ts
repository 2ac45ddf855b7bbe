/**
 * Among more memories the best of the irrelevant ones comes nearer by chance. On 1,000 developer notes, and on
 * random parts of them, the score that 2 of 100 off-topic questions reach grows by about this much with
 * every tenfold of memories.
 */
const PER_TENFOLD = 0.11;
/** The store size at which a score is taken as it is. */
const REFERENCE = 300;
/** Fewer memories than this say nothing about chance. */
const FEWEST = 10;

/** A raw score corrected for the number of memories, so that a threshold means the same in a store of any size. */
export function beyondChance(raw: number, memories: number): number {
  const correction = PER_TENFOLD * Math.log10(REFERENCE / Math.max(FEWEST, memories));
  return Math.min(1, Math.max(0, raw + correction));
}
