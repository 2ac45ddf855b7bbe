import { unit } from "./embedder.ts";
import type { Pooling } from "./models.ts";

/** What a model answers for one text, as far as it matters here. */
export interface Output {
  readonly data: Float32Array;
  /** Texts × tokens × dimensions, or texts × dimensions where the model itself has pooled. */
  readonly dims: readonly number[];
}

/** The unit vector of one text: the model's own `sentence_embedding`, else its tokens' vectors pooled. */
export function vectorOf(outputs: Readonly<Record<string, Output>>, pooling: Pooling) {
  const own = outputs["sentence_embedding"];
  if (own !== undefined) return unit(own.data.slice());
  const { data, dims } = tokensIn(outputs);
  return pool(data, dims.at(-1)!, pooling);
}

/** The states of one text's tokens, one after the other. */
export function statesIn(outputs: Readonly<Record<string, Output>>): Float32Array {
  return tokensIn(outputs).data.slice();
}

function tokensIn(outputs: Readonly<Record<string, Output>>): Output {
  const tokens = outputs["last_hidden_state"];
  if (tokens === undefined) throw new Error("the model's output has no `last_hidden_state`");
  return tokens;
}

/** Pools the vectors of a text's tokens, row after row, into one unit vector. */
export function pool(tokens: Float32Array, dimensions: number, pooling: Pooling): Float32Array {
  const vector = pooling === "last" ? tokens.slice(-dimensions) : tokens.slice(0, dimensions);
  if (pooling === "mean") {
    // The sum has the same direction as the mean, and only the direction matters.
    for (let i = dimensions; i < tokens.length; i++) vector[i % dimensions]! += tokens[i]!;
  }
  return unit(vector);
}
