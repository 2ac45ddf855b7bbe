import { readFileSync } from "node:fs";
import { join } from "node:path";
import { qrelsOf, readJsonLines, type Suite } from "../suite.ts";

/** Reads a collection in BEIR's form; queries that the test split does not judge are left out. */
export function loadBeir(folder: string): Suite {
  const rows = readFileSync(join(folder, "qrels", "test.tsv"), "utf8").split("\n")
    .map((line) => line.trim().split("\t"));
  const qrels = qrelsOf(
    rows.filter(([, , grade]) => Number.isFinite(Number(grade))) // the first line has titles
      .map(([qid, docid, grade]) => ({ qid: qid!, docid: docid!, grade: Number(grade) })),
  );
  const corpus = readJsonLines<{ _id: string; title?: string; text: string }>(
    join(folder, "corpus.jsonl"),
  );
  const queries = readJsonLines<{ _id: string; text: string }>(join(folder, "queries.jsonl"));
  return {
    documents: corpus.map(({ _id, title, text }) => ({ id: _id, ...title ? { title } : {}, text })),
    queries: queries.filter(({ _id }) => qrels.has(_id)).map(({ _id, text }) => ({
      id: _id,
      text,
    })),
    qrels,
  };
}
