/** The store size at which a score is taken as it is. */
const REFERENCE = 300;
/** Fewer memories than this say nothing about chance. */
const FEWEST = 10;

/**
 * A raw score corrected for the number of memories, so that a threshold means the same in a store of any size: among
 * more memories the best of the irrelevant ones comes nearer by chance. `perTenfold` is by how much the score that 2
 * of 100 off-topic prompts reach grows with every tenfold of memories (random parts of 30 to 10,000 developer notes).
 */
export function beyondChance(raw: number, memories: number, perTenfold: number): number {
  const correction = perTenfold * Math.log10(REFERENCE / Math.max(FEWEST, memories));
  return Math.min(1, Math.max(0, raw + correction));
}
