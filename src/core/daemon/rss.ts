/** What a daemon holds in memory, in bytes. */
export interface Held {
  readonly process: number;
  /** Of that: the vectors of its memories. */
  readonly vectors: number;
}

/** Only the executable's runtime has calls for this; Node's API has none. */
const { Bun: RUNTIME } = globalThis as { Bun?: { gc(wait: boolean): unknown; shrink(): unknown } };

/**
 * Releases memory that was needed for a moment: after a burst of prompts the collector keeps twice the live heap, and a
 * daemon is idle most of the time.
 */
export function collectGarbage(): void {
  RUNTIME?.gc(true);
}

/**
 * Releases compiled code as well, 25 MB of it: the next prompt takes some 70 ms longer, so this is for a daemon that
 * nobody has used for a while.
 */
export function shrink(): void {
  RUNTIME?.shrink();
  collectGarbage();
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
