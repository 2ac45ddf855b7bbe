import { dot } from "../embed/dot.ts";
import type { PassageHit } from "./corpus.ts";
import { nearestOf } from "./passage_rows.ts";
import { toVector } from "./rows.ts";

/** Rows of memory (or entry), start, end and vector, compared with a unit vector: each memory with its nearest passage. */
export function compared(
  rows: readonly ArrayLike<unknown>[],
  vector: Float32Array,
): PassageHit[] {
  const passages = rows.map((row) => ({
    memory: Number(row[0]),
    start: Number(row[1]),
    end: Number(row[2]),
    cosine: dot(toVector(row[3]), vector),
  }));
  return [...Map.groupBy(passages, ({ memory }) => memory)]
    .map(([memory, own]) => ({ memory, ...nearestOf(own) }));
}
