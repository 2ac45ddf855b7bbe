/**
 * Gives back what was needed for a moment: after a burst of prompts the collector keeps twice of what is alive, and a
 * daemon idles for most of its life. Only the runtime of the executable can be asked to; there is no such call in Node's API.
 */
export function giveBackMemory(): void {
  const { Bun } = globalThis as { Bun?: { gc(wait: boolean): unknown } };
  Bun?.gc(true);
}
