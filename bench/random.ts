/** Numbers from 0 to 1 that look random and are the same for the same seed (Marsaglia's xorshift, 32 bits). */
export function seededRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** One of a list. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Some of a list, in a random order. */
export function sample<T>(random: () => number, list: readonly T[], count: number): T[] {
  const rest = [...list], taken: T[] = [];
  while (taken.length < count && rest.length > 0) {
    taken.push(...rest.splice(Math.floor(random() * rest.length), 1));
  }
  return taken;
}
