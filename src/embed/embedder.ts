import type { Role } from "./models.ts";

/** A loaded embedding model: text in, unit vector out. */
export interface Embedder {
  /** Names model, weights and precision; an index made with another one is made again. */
  readonly id: string;
  readonly dimensions: number;
  /** The model's window in tokens; what is longer is cut by the model. */
  readonly maxTokens: number;
  /** How many tokens of the window a text takes, without the special ones. */
  countTokens(text: string): number;
  /**
   * The unit vector of one text, a passage unless `role` says otherwise.
   * Texts go in one at a time: a quantised model answers differently in a batch.
   */
  embed(text: string, role?: Role): Promise<Float32Array>;
  close(): Promise<void>;
}
