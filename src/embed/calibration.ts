/**
 * How far a model's cosines are to be trusted beside words, and what they are worth: measured for each model on
 * `bench/suites/coding-agent` and on suites from outside, see bench/README.md.
 */
export interface Calibration {
  /** A cosine counts by as much as it is above `floor`, times `gain`. */
  readonly nearness: { readonly floor: number; readonly gain: number };
  /** In English: the cosine's share of a rank, and by how much it falls as one memory has all the prompt's words. */
  readonly english: Mixture;
  /** In other languages: its share, and by how much it falls as the memories have the prompt's own words. */
  readonly foreign: Mixture;
  readonly relevance: {
    /** What a cosine of 1 is worth, … */
    readonly cosine: number;
    /** … times this when the prompt is in another language than English, … */
    readonly foreign: number;
    /** … what having all the words of a prompt is worth, … */
    readonly words: number;
    /** … and what having many rare words is worth. */
    readonly plenty: number;
  };
  /** What a score is taken down by so that 2 of 100 off-topic prompts reach the threshold, … */
  readonly handicap: number;
  /** … by how much that grows with every tenfold of memories, and among how few it shrinks no further. */
  readonly chance: { readonly perTenfold: number; readonly fewest: number };
  /** The cosine of a text with a memory that says the same in other words is above this. */
  readonly retold: number;
}

/** How words and meaning are mixed to put memories in order. */
export interface Mixture {
  /** The cosine's share, 0–1; the rest is BM25's. */
  readonly cosine: number;
  /** What words take of that share. */
  readonly words: number;
  /**
   * BM25 is divided by the best hit's and this. Without it a lone weak match would count as a full one; much more
   * of it and the best match of a long question would count for nothing.
   */
  readonly damping: number;
}
