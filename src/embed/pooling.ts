import type { Pooling } from "./models.ts";

/** Pools the vectors of a text's tokens, row after row, into one unit vector. */
export function pool(tokens: Float32Array, dimensions: number, pooling: Pooling): Float32Array {
  const vector = tokens.slice(0, dimensions);
  if (pooling === "mean") {
    // The sum has the same direction as the mean, and only the direction matters.
    for (let i = dimensions; i < tokens.length; i++) vector[i % dimensions]! += tokens[i]!;
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}
