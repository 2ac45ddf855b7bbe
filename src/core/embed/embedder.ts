import { keepingLast } from "../text/remembered.ts";
import type { Role } from "./models.ts";

/** A loaded embedding model: text in, unit vector out. */
export interface Embedder {
  /** Identifies model, weights and precision; an index made with another one is rebuilt. */
  readonly id: string;
  readonly dimensions: number;
  /** The number of tokens of a text, without the special ones. */
  countTokens(text: string): number;
  /** The unit vector of one text, a passage by default: in a batch, a quantised model gives others. */
  embed(text: string, role?: Role): Promise<Float32Array>;
  /** The words of a text, each with its state; only a model whose vocabulary is memo's own has them. */
  readonly wordStates?: ((text: string) => Promise<readonly WordState[]>) | undefined;
  /** A text as it may be cut into passages, in its own length: without its secrets, if they are sent elsewhere. */
  beforeCut?(text: string): string;
  /** The same model in processes of its own, for many texts, to be closed by itself; it gives way unless it is urgent. */
  inBulk?(options: BulkOptions): Promise<{
    readonly embedder: Embedder;
    /** Texts that keep it busy. */
    readonly atOnce: number;
  }>;
  close(): Promise<void>;
}

/** A word of a text, or a piece of one in a script without spaces, as the model has it in this text. */
export interface WordState {
  readonly text: string;
  /** The negative logarithm of its probability, summed over its pieces. */
  readonly rarity: number;
  /** The mean of its pieces' states. */
  readonly state: Float32Array;
}

/** What the processes of an embedder in bulk are started with. */
export interface BulkOptions {
  readonly isUrgent: boolean;
  /** Ends them at once, whatever they are at. */
  readonly signal?: AbortSignal | undefined;
}

/** Vectors of queries that are kept: 1.5 KB each, and their texts. */
const KEPT = 64;

/** An embedder that embeds a query once: a prompt's vector is begun early, and some prompts come again. */
export function withQueryCache(embedder: Embedder): Embedder {
  const query = keepingLast(KEPT, (text: string) => embedder.embed(text, "query"));
  return {
    ...embedder,
    embed: (text, role) => role === "query" ? query(text) : embedder.embed(text, role),
  };
}

/** The dot product of two vectors of one length: of unit vectors, their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** A vector of length 1 in the same direction. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}
