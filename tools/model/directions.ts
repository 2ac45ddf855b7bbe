/** Unit vectors at right angles that span what the vectors span (Gram and Schmidt), the longest rest first. */
export function spanningDirections(
  vectors: readonly Float32Array[],
  count: number,
): Float32Array[] {
  const directions: Float32Array[] = [];
  let rests = vectors.map((vector) => Float64Array.from(vector));
  while (directions.length < count) {
    const longest = rests.reduce((a, b) => lengthOf(b) > lengthOf(a) ? b : a);
    const length = lengthOf(longest);
    const direction = longest.map((value) => value / length);
    directions.push(Float32Array.from(direction));
    rests = rests.map((rest) => {
      const along = dot(rest, direction);
      return rest.map((value, i) => value - along * direction[i]!);
    });
  }
  return directions;
}

function lengthOf(vector: Float64Array): number {
  return Math.sqrt(dot(vector, vector));
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
