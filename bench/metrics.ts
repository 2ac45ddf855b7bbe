// Ranking quality by the definitions of trec_eval: a document that is not judged is not relevant; the gain of
// nDCG is the grade itself, discounted by log2(rank + 1).

/** One query's ranking and judgements. */
export interface Judged {
  /** Document ids, best first. */
  readonly ranking: readonly string[];
  /** Document id → grade. */
  readonly grades: ReadonlyMap<string, number>;
}

/** Share of the relevant documents among the first k. */
function recallAt(k: number, { ranking, grades }: Judged): number {
  const relevant = [...grades.values()].filter((grade) => grade > 0).length;
  return relevant === 0
    ? 0
    : ranking.slice(0, k).filter((id) => (grades.get(id) ?? 0) > 0).length / relevant;
}

/** 1 when a relevant document is among the first k. */
function hitAt(k: number, { ranking, grades }: Judged): number {
  return ranking.slice(0, k).some((id) => (grades.get(id) ?? 0) > 0) ? 1 : 0;
}

/** 1 / rank of the first relevant document among the first k, else 0. */
export function reciprocalRankAt(k: number, { ranking, grades }: Judged): number {
  const rank = ranking.slice(0, k).findIndex((id) => (grades.get(id) ?? 0) > 0);
  return rank < 0 ? 0 : 1 / (rank + 1);
}

/** Normalised discounted cumulative gain of the first k. */
function ndcgAt(k: number, { ranking, grades }: Judged): number {
  const gain = (list: readonly number[]) =>
    list.slice(0, k).reduce((sum, grade, i) => sum + Math.max(0, grade) / Math.log2(i + 2), 0);
  const ideal = gain([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranking.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** The measures that are reported, by name. */
export const MEASURES = {
  "R@1": (judged) => recallAt(1, judged),
  "R@5": (judged) => recallAt(5, judged),
  "R@10": (judged) => recallAt(10, judged),
  "hit@5": (judged) => hitAt(5, judged),
  "MRR@10": (judged) => reciprocalRankAt(10, judged),
  "nDCG@10": (judged) => ndcgAt(10, judged),
} as const satisfies Record<string, (judged: Judged) => number>;

export type MeasureName = keyof typeof MEASURES;

/** Every measure's mean over the queries. */
export function meanMeasures(queries: readonly Judged[]): Record<MeasureName, number> {
  const mean = (measure: (judged: Judged) => number) =>
    queries.reduce((sum, judged) => sum + measure(judged), 0) / queries.length;
  return Object.fromEntries(
    Object.entries(MEASURES).map(([name, measure]) => [name, mean(measure)]),
  ) as Record<MeasureName, number>;
}
