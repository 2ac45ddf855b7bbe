/** Every number by which two texts are compared by their words, and from which nearness on they are. */
export const CUTOFFS = {
  /** Of two texts that are compared sentence by sentence, the share of the terms of one that are in the other. */
  compared: 0.5,
  /**
   * The least cosine of two memories that are compared: nine of ten corrections in wholly other words lie above, and of
   * neighbours below it the judge takes none for a correction.
   */
  neighbours: 0.2,
  /** Share of the shorter statement's words: of two about one thing, and where words say that one is over. */
  matter: 0.5,
  over: 0.4,
  /** Texts are alike above this share of their common terms. */
  alike: 0.6,
  /**
   * The minimum cosine of two statements of one fact, on the scale of MiniLM; cosines of other models are converted to
   * it by their calibration's `retold`. On `bench/suites/coding-agent`, no pair of 7,892 different memories is above
   * .713, and eighteen paraphrases score .775 to .950. A decision that replaces another usually scores low (.194 to
   * .713), so the model must report it.
   */
  retold: 0.76,
  /** The share of a name's words in a memory about the same thing. */
  subject: 1 / 3,
  /** A sentence means what a claim in another language does, from this share of `retold`; with half of its words; beside a reading. */
  translated: { near: 0.875, byWords: 0.69, words: 0.5, besideReading: 0.94 },
  /** A corrected note keeps a clause if it has so much of its telling words. */
  kept: 0.6,
  /** A team's note stands beside a proposal from this share of common terms. */
  beside: 0.4,
  /** Two texts have the same content, two titles are nearly the same, a line contains a text. */
  repeats: { same: 0.8, near: 0.6, contained: 0.85, containedPairs: 0.6, fewest: 5 },
} as const;

/** How sure an answer is, and what follows from how sure it is. */
export const PROBABILITY = {
  sameFacts: 0.95,
  contained: 0.8,
  /** A model has said that two contradict each other, and nobody has settled which holds. */
  said: 0.6,
  /** From here on a later text takes the place of an earlier one, … */
  sure: 0.9,
  /** … and from here on it may: both come, dated, the later one first. */
  unsure: 0.6,
  /** From here on a later text that says the same, or that and more, is enough. */
  repeated: 0.5,
} as const;
