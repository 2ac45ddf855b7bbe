import type { Answer } from "./answer.ts";
import type { Suite } from "./suite.ts";

/** Scores are written with this many decimals, few enough that tools which read them as 32-bit floats keep the order. */
const DECIMALS = 6;

/**
 * A TREC run: `qid Q0 docid rank score strategy`. Tools such as trec_eval use only the score and break ties
 * by the document's name, so a score that is not below the one before is written as a little lower.
 */
export function runFile(strategy: string, answers: readonly Answer[]): string {
  const step = 10 ** -DECIMALS;
  const lines: string[] = [];
  for (const { query, ranking } of answers) {
    let last = Infinity;
    for (const [i, { id, score }] of ranking.entries()) {
      last = Math.min(Number(score.toFixed(DECIMALS)), last - step);
      lines.push(
        [word(query.id), "Q0", word(id), i + 1, last.toFixed(DECIMALS), word(strategy)].join(" "),
      );
    }
  }
  return lines.map((line) => line + "\n").join("");
}

/** Judgements as trec_eval reads them: `qid 0 docid grade`. */
export function qrelsFile(qrels: Suite["qrels"]): string {
  return [...qrels].flatMap(([qid, grades]) =>
    [...grades].map(([docid, grade]) => `${word(qid)} 0 ${word(docid)} ${grade}\n`)
  ).join("");
}

/** The columns are told apart by spaces, so there are none in them. */
function word(text: string): string {
  return text.replace(/\s+/g, "_");
}
