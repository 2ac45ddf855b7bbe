/** What a daemon holds in memory, in bytes. */
export interface Held {
  readonly process: number;
  /** Of that: the vectors of its memories. */
  readonly vectors: number;
}

/**
 * Releases memory that was needed for a moment: after a burst of prompts the collector keeps twice the live heap, and a
 * daemon is idle most of the time. Only the executable's runtime has a call for this; Node's API has none. It can also
 * shrink (`Bun.shrink`), which takes 15 MB more, but throws all compiled code away: the next prompt took 70 ms longer.
 */
export function collectGarbage(): void {
  const { Bun } = globalThis as { Bun?: { gc(wait: boolean): unknown } };
  Bun?.gc(true);
}

/** What a daemon may hold at rest beside its vectors. */
const MOST_BYTES = 300e6;
/** Maximum growth over the fresh daemon; anything above is more than its memories need. */
const GROWTH = 1.35;

/** Whether an idle daemon holds so much more memory than a fresh one that it should be replaced. */
export function isBloated(held: Held, fresh: Held): boolean {
  const beside = ({ process, vectors }: Held) => process - vectors;
  return beside(held) > Math.max(MOST_BYTES, GROWTH * beside(fresh));
}
