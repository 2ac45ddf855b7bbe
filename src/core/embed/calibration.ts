/**
 * How a model's cosines are weighted against words, and what they mean: measured for each model on
 * `bench/suites/coding-agent` and on external suites, see bench/README.md.
 */
export interface Calibration {
  /** A cosine counts as its excess over `floor`, times `gain`. */
  readonly nearness: { readonly floor: number; readonly gain: number };
  /** In English: the cosine's share of a rank, and how much it falls as one memory has all the prompt's words. */
  readonly english: Mixture;
  /** In other languages: its share, and how much it falls as the memories have the prompt's own words. */
  readonly foreign: Mixture;
  readonly relevance: {
    /** The score of a cosine of 1, … */
    readonly cosine: number;
    /** … times this if the prompt is not in English, … */
    readonly foreign: number;
    /** … the score of having all the words of a prompt, … */
    readonly words: number;
    /** … and that of having many rare words. */
    readonly plenty: number;
  };
  /** The amount subtracted from a score so that 2 of 100 off-topic prompts reach the threshold, … */
  readonly handicap: number;
  /** … its growth with every tenfold of memories, and the number of memories below which it stops shrinking. */
  readonly chance: { readonly perTenfold: number; readonly fewest: number };
  /** Paraphrases: the cosine of a text with a memory of the same content is above this. */
  readonly retold: number;
}

/** How keyword and vector scores are mixed to rank memories. */
export interface Mixture {
  /** The cosine's share, 0–1; the rest is BM25's. */
  readonly cosine: number;
  /** The part of that share that words take. */
  readonly words: number;
  /**
   * BM25 is divided by the best hit's score plus this. Without it a lone weak match would count as a full one; with
   * much more of it the best match of a long question would count for nothing.
   */
  readonly damping: number;
}
