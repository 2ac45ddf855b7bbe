import { seededRandom } from "./random.ts";

/** Whether two strategies differ by more than chance would make them. */
export interface Significance {
  /** Mean of the first minus mean of the second. */
  readonly difference: number;
  /** How often chance alone makes a difference at least this large, two-sided. */
  readonly p: number;
  readonly queries: number;
  readonly permutations: number;
}

const PERMUTATIONS = 10_000;
/** Tolerance for sums of the same numbers in another order, which differ by rounding. */
const ROUNDING = 1e-9;

/**
 * Paired randomisation test: if the strategies were equal, each query's two values could as well be
 * exchanged. `a` and `b` are values of the same queries in the same order. Same values, same result.
 */
export function pairedRandomisation(
  a: readonly number[],
  b: readonly number[],
  { permutations = PERMUTATIONS, seed = 1 }: { permutations?: number; seed?: number } = {},
): Significance {
  const differences = a.map((value, i) => value - b[i]!);
  const observed = sum(differences);
  const telling = differences.filter((difference) => difference !== 0);
  const random = seededRandom(seed);
  let asLarge = 0;
  for (let round = 0; round < permutations; round++) {
    let total = 0;
    for (const difference of telling) total += random() < 0.5 ? difference : -difference;
    if (Math.abs(total) >= Math.abs(observed) - ROUNDING) asLarge++;
  }
  return {
    difference: a.length === 0 ? 0 : observed / a.length,
    p: (asLarge + 1) / (permutations + 1), // the observed arrangement counts as one
    queries: a.length,
    permutations,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
