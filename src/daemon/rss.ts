/**
 * Gives back what was needed for a moment: after a burst of prompts the collector keeps twice of what is alive, and a
 * daemon idles for most of its life. Only the runtime of the executable can be asked to; there is no such call in Node's
 * API. What the collector frees stays with the allocator until that is asked to shrink.
 */
export function giveBackMemory(): void {
  const { Bun } = globalThis as { Bun?: { gc(wait: boolean): unknown; shrink(): unknown } };
  Bun?.gc(true);
  Bun?.shrink();
}

/** A daemon at rest is to hold less than 300 MB, unless its memories alone take as much. */
const MOST_BYTES = 260e6;
/** What was fresh may grow by so much before it counts as more than its memories need. */
const GROWTH = 1.35;

/** Whether a daemon holds so much more at rest than when it was fresh that a new one is better. */
export function isBloated(restBytes: number, freshBytes: number): boolean {
  return restBytes > Math.max(MOST_BYTES, GROWTH * freshBytes);
}
