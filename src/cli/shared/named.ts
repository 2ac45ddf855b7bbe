import { MemoError } from "../../errors.ts";

/**
 * Finds the memory of each word, or of all words together: `forget A B` is about two memories, unless one is
 * called "A B". Throws before any change if one of them is not found.
 */
export function findEach<T>(words: readonly string[], find: (name: string) => T): T[] {
  if (words.length === 1) return [find(words[0]!)];
  try {
    return [find(words.join(" "))];
  } catch (error) {
    if (!(error instanceof MemoError && error.kind === "not-found")) throw error;
  }
  return words.map((word) => find(word));
}
