/**
 * Releases memory that was needed for a moment: after a burst of prompts the collector keeps twice the live heap, and a
 * daemon is idle most of the time. Only the executable's runtime has calls for this; Node's API has none. The memory
 * that the collector frees stays with the allocator until that is asked to shrink.
 */
export function giveBackMemory(): void {
  const { Bun } = globalThis as { Bun?: { gc(wait: boolean): unknown; shrink(): unknown } };
  Bun?.gc(true);
  Bun?.shrink();
}

/** Keeps an idle daemon below 300 MB, unless its memories alone need that much. */
const MOST_BYTES = 260e6;
/** Maximum growth over the fresh daemon; anything above is more than its memories need. */
const GROWTH = 1.35;

/** Whether an idle daemon holds so much more memory than a fresh one that it should be replaced. */
export function isBloated(restBytes: number, freshBytes: number): boolean {
  return restBytes > Math.max(MOST_BYTES, GROWTH * freshBytes);
}
