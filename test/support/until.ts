import { setTimeout as sleep } from "node:timers/promises";

/** How long a test waits for what has to come: longer than a busy machine takes, since what comes at once costs nothing. */
const PATIENCE_MS = 60_000;
const STEP_MS = 25;

/**
 * Waits until something holds, and returns what it gave; fails with the words for it if it never does, and with what there
 * is instead.
 */
export async function until<T>(
  what: string,
  holds: () => T | Promise<T>,
  { patienceMs = PATIENCE_MS, instead = () => "" }: {
    readonly patienceMs?: number;
    readonly instead?: () => string;
  } = {},
): Promise<Exclude<T, false | undefined>> {
  for (const end = performance.now() + patienceMs;;) {
    const found = await holds();
    if (found) return found as Exclude<T, false | undefined>;
    if (performance.now() > end) {
      throw new Error(`It never came to be: ${what}\n${instead()}`);
    }
    await sleep(STEP_MS);
  }
}
