/** How the score that 2 of 100 off-topic prompts reach depends on the number of memories. */
export interface Chance {
  /** Growth per factor of ten, measured on random parts of 30 to 10,000 developer notes. */
  readonly perTenfold: number;
  /** Minimum number of memories to assume. */
  readonly fewest: number;
}

/** The store size at which scores are left unchanged. */
const REFERENCE = 300;

/**
 * A raw score corrected for the number of memories, so that a threshold means the same in a store of any size: among
 * more memories the best of the irrelevant ones comes nearer by chance.
 */
export function beyondChance(
  raw: number,
  memories: number,
  { perTenfold, fewest }: Chance,
): number {
  const correction = perTenfold * Math.log10(REFERENCE / Math.max(fewest, memories));
  return Math.min(1, Math.max(0, raw + correction));
}
