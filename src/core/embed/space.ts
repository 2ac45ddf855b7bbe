import { dot } from "./embedder.ts";
import type { Role } from "./models.ts";

/**
 * The components common to all vectors of a model: the mean of each role, and the directions in which
 * languages differ. Made by `tools/model/space.ts`; 32-bit floats in base64.
 */
export interface SpaceFile {
  readonly query: string;
  readonly passage: string;
  readonly directions: readonly string[];
}

/** Removes the common components from a unit vector. */
export type Place = (vector: Float32Array, role: Role) => Float32Array;

/**
 * Makes a function that removes the common components. Without it the cosines of E5 lie between .75 and .9 for any
 * two texts, and a text is nearest to those of its own language.
 */
export function placeIn(file: SpaceFile): Place {
  const averages = { query: floatsOf(file.query), passage: floatsOf(file.passage) };
  const directions = file.directions.map(floatsOf);
  return (vector, role) => {
    const average = averages[role];
    const rest = vector.map((value, i) => value - average[i]!);
    for (const direction of directions) {
      const along = dot(rest, direction);
      for (let i = 0; i < rest.length; i++) rest[i]! -= along * direction[i]!;
    }
    const length = Math.sqrt(dot(rest, rest)) || 1;
    return rest.map((value) => value / length);
  };
}

function floatsOf(base64: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer);
}
