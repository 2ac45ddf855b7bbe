// Logistic regression with weights that are kept small, fitted by Newton's method.

import { BASE, type NeedFeatures, probability } from "../../strategies/need.ts";

/** A prompt and a memory. */
export interface Example {
  readonly set: string;
  readonly prompt: string;
  readonly features: NeedFeatures;
  readonly isNeeded: boolean;
  readonly weight: number;
}

/** A number for each feature, and for `BASE`. */
export type Weights = NeedFeatures;

/** All weight of the examples together: as if there were so many. */
const EXAMPLES = 10_000;
/** What is added to the curvature of each weight, in units of its feature's standard deviation. */
const RIDGE = 1;
const STEPS = 20;

/** The weights of some features, each in the direction that it may have: one that would have the other is 0. */
export function fit(
  examples: readonly Example[],
  features: readonly string[],
  signs: Readonly<Record<string, 1 | -1>>,
): Weights {
  const weights = fitFreely(examples, features);
  const wrong = features.filter((name) => weights[name]! * (signs[name] ?? 0) < 0);
  return wrong.length === 0
    ? weights
    : fit(examples, features.filter((name) => !wrong.includes(name)), signs);
}

function fitFreely(examples: readonly Example[], features: readonly string[]): Weights {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const scale = EXAMPLES / total;
  const mean = features.map((name) =>
    examples.reduce((sum, { features, weight }) => sum + weight * features[name]!, 0) / total
  );
  const deviation = features.map((name, i) =>
    Math.sqrt(
      examples.reduce(
        (sum, each) => sum + each.weight * (each.features[name]! - mean[i]!) ** 2,
        0,
      ) / total,
    ) || 1
  );
  const rows = examples.map((each) => [
    1,
    ...features.map((name, i) => (each.features[name]! - mean[i]!) / deviation[i]!),
  ]);
  const size = features.length + 1;
  let found = new Array<number>(size).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = found.map((weight, i) => i === 0 ? 0 : RIDGE * weight);
    const curvature = found.map((_, i) => found.map((_, j) => i === j && i > 0 ? RIDGE : 0));
    for (const [at, row] of rows.entries()) {
      const { weight, isNeeded } = examples[at]!;
      const p = 1 / (1 + Math.exp(-row.reduce((sum, value, i) => sum + value * found[i]!, 0)));
      const pull = scale * weight * (p - Number(isNeeded)), bend = scale * weight * p * (1 - p);
      for (let i = 0; i < size; i++) {
        gradient[i]! += pull * row[i]!;
        for (let j = 0; j <= i; j++) curvature[i]![j]! += bend * row[i]! * row[j]!;
      }
    }
    for (let i = 0; i < size; i++) {
      for (let j = i + 1; j < size; j++) curvature[i]![j] = curvature[j]![i]!;
    }
    const change = solved(curvature, gradient);
    found = found.map((weight, i) => weight - change[i]!);
    if (change.every((by) => Math.abs(by) < 1e-6)) break;
  }
  const own = features.map((_, i) => found[i + 1]! / deviation[i]!);
  const base = own.reduce((sum, weight, i) => sum - weight * mean[i]!, found[0]!);
  return { [BASE]: base, ...Object.fromEntries(features.map((name, i) => [name, own[i]!])) };
}

/** Solves linear equations by Gauss's elimination. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    const pivot = rows.slice(i).reduce((best, row) =>
      Math.abs(row[i]!) > Math.abs(best[i]!) ? row : best
    );
    rows[rows.indexOf(pivot)] = rows[i]!;
    rows[i] = pivot;
    for (let j = 0; j < size; j++) {
      if (j === i) continue;
      const factor = rows[j]![i]! / pivot[i]!;
      for (let k = i; k <= size; k++) rows[j]![k]! -= factor * pivot[k]!;
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!);
}

/** The probability by some weights. */
export function predict(features: NeedFeatures, weights: Weights): number {
  const sum = Object.entries(weights).map((
    [name, weight],
  ) => [name, name === BASE ? weight : weight * features[name]!]);
  return probability(Object.fromEntries(sum));
}

type Judged = Example & { readonly p: number };

/** The probability that of two examples, one needed and one not, the needed one is judged to be likelier. */
export function areaUnder(judged: readonly Judged[]): number {
  const sorted = judged.toSorted((a, b) => a.p - b.p);
  let below = 0, pairs = 0;
  for (const { isNeeded } of sorted) {
    if (isNeeded) pairs += below;
    else below++;
  }
  return pairs / Math.max(1, below * (judged.length - below));
}

/** The mean surprise, in natural units. */
export function logLoss(judged: readonly Judged[]): number {
  return -judged.reduce((sum, { p, isNeeded }) => sum + Math.log(isNeeded ? p : 1 - p), 0) /
    judged.length;
}
