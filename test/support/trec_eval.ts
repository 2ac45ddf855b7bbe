// A second opinion: trec_eval's measures from its files and definitions, written apart from `bench/metrics.ts`. Neither
// trec_eval nor a binding of it can be had from a package registry here.

/** The measures of one query, or their means, by trec_eval's names. */
export type Measures = Record<
  "recall_1" | "recall_5" | "recall_10" | "success_5" | "recip_rank_cut_10" | "ndcg_cut_10",
  number
>;

/**
 * What `trec_eval -c` says of a run: means over every query that has a relevant document, those that are missing in the
 * run counting as 0. Documents are put in order by score, falling, and where scores are equal by name, falling; ranks in
 * the file count for nothing.
 */
export function trecEval(qrelsFile: string, runFile: string): Measures {
  const qrels = new Map<string, Map<string, number>>();
  for (const [qid, , docid, grade] of linesOf(qrelsFile)) {
    qrels.set(qid!, (qrels.get(qid!) ?? new Map()).set(docid!, Number(grade)));
  }
  const run = new Map<string, { docid: string; score: number }[]>();
  for (const [qid, , docid, , score] of linesOf(runFile)) {
    run.set(qid!, [...run.get(qid!) ?? [], { docid: docid!, score: Math.fround(Number(score)) }]);
  }
  const sums: Measures = {
    recall_1: 0,
    recall_5: 0,
    recall_10: 0,
    success_5: 0,
    recip_rank_cut_10: 0,
    ndcg_cut_10: 0,
  };
  let queries = 0;
  for (const [qid, judged] of qrels) {
    const gains = Array.from(judged.values(), (grade) => grade > 0 ? grade : 0);
    const relevant = gains.filter((gain) => gain > 0).length;
    if (relevant === 0) continue;
    queries++;
    const documents = (run.get(qid) ?? []).toSorted((a, b) =>
      a.score === b.score ? (a.docid < b.docid ? 1 : -1) : b.score - a.score
    );
    let found = 0, dcg = 0;
    for (let rank = 1; rank <= Math.min(10, documents.length); rank++) {
      const grade = judged.get(documents[rank - 1]!.docid);
      if (grade === undefined || grade <= 0) continue;
      found += 1;
      dcg += grade * Math.LN2 / Math.log(rank + 1);
      if (found === 1) sums.recip_rank_cut_10 += 1 / rank;
      if (found === 1 && rank <= 5) sums.success_5 += 1;
      if (rank <= 1) sums.recall_1 += 1 / relevant;
      if (rank <= 5) sums.recall_5 += 1 / relevant;
      sums.recall_10 += 1 / relevant;
    }
    gains.sort((a, b) => a - b);
    let ideal = 0;
    for (let rank = 1; rank <= 10 && gains.length > 0; rank++) {
      ideal += gains.pop()! * Math.LN2 / Math.log(rank + 1);
    }
    sums.ndcg_cut_10 += dcg / ideal;
  }
  for (const name of Object.keys(sums) as (keyof Measures)[]) sums[name] /= queries;
  return sums;
}

function linesOf(file: string): string[][] {
  return file.split("\n").filter((line) => line !== "").map((line) => line.split(/\s+/));
}
