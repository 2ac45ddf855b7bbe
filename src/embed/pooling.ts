import type { Pooling } from "./models.ts";

/** The unit vector of one text from the vectors of its tokens, row after row. */
export function pool(tokens: Float32Array, dimensions: number, pooling: Pooling): Float32Array {
  const vector = tokens.slice(0, dimensions);
  if (pooling === "mean") {
    // The sum points the same way as the average, and only the direction is kept.
    for (let i = dimensions; i < tokens.length; i++) vector[i % dimensions]! += tokens[i]!;
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}
