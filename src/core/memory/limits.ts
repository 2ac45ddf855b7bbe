// How large a memory may be. What a person or an import writes is kept whole, up to the size of a file, or refused; the
// other limits are for what a model writes: its tools refuse what is longer, and its replies are cut to them.

/** Bytes of a memory file: a larger one is a dump, of which only this much is used. */
export const LONGEST_FILE = 256 * 1024;

/** Maximum characters (UTF-16 units) and counts of what a model writes into a memory. */
export const LIMITS = {
  name: 200,
  description: 400,
  body: 20_000,
  triggers: 8,
  trigger: 200,
  tags: 10,
  tag: 60,
  /** Predecessors that a memory names; the newest are kept. */
  supersedes: 10,
} as const;

/** The predecessors of a memory that replaces others: the newest ones, each once. */
export function predecessors(...names: readonly string[]): string[] {
  return [...new Set(names)].slice(-LIMITS.supersedes);
}
