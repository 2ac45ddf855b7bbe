import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../src/errors.ts";

/** A document of a suite; it becomes a memory. */
export interface SuiteDocument {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
  readonly description?: string;
  readonly triggers?: readonly string[];
  readonly tags?: readonly string[];
  readonly type?: string;
  readonly lang?: string;
  /** Time of the last change: ISO 8601 or seconds since 1970. */
  readonly ts?: string | number;
  readonly scope?: string;
}

/** A question of a suite. */
export interface SuiteQuery {
  readonly id: string;
  readonly text: string;
  readonly lang?: string;
  readonly category?: string;
  readonly split?: string;
  /** Answered only from the documents of this scope. */
  readonly scope?: string;
  /** The conversation before it, oldest first. */
  readonly turns?: readonly { readonly user: string; readonly assistant: string }[];
  /** Nothing answers it: whatever is injected is wrong. */
  readonly no_answer?: boolean;
}

/** Documents, questions and which answers which. */
export interface Suite {
  readonly documents: readonly SuiteDocument[];
  readonly queries: readonly SuiteQuery[];
  /** Query id → document id → grade; a grade over 0 is relevant. */
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * Reads `corpus.jsonl`, `queries.jsonl` and `qrels.jsonl`; a suite without documents of its own names the folder that it
 * shares them with in `corpus.from`. Throws a MemoError that names file and line.
 */
export function loadSuite(folder: string): Suite {
  const from = join(folder, "corpus.from");
  const corpus = existsSync(from) ? join(folder, readFileSync(from, "utf8").trim()) : folder;
  return {
    documents: readLines(corpus, "corpus"),
    queries: readLines(folder, "queries"),
    qrels: withOvertaken(qrelsOf(readLines(folder, "qrels")), join(folder, "pairs.json")),
  };
}

/** Judgements with those of FactConsolidation's `pairs.json`, which lists the facts that a later one replaces. */
function withOvertaken(
  qrels: Map<string, Map<string, number>>,
  file: string,
): Map<string, Map<string, number>> {
  if (!existsSync(file)) return qrels;
  const pairs: Record<string, { readonly old: readonly number[] }> = JSON.parse(
    readFileSync(file, "utf8"),
  );
  for (const [query, { old }] of Object.entries(pairs)) {
    for (const fact of old) qrels.get(query)?.set(`f${fact}`, -1);
  }
  return qrels;
}

/** Judgements as lines, by query. */
export function qrelsOf(
  judgements: Iterable<{ readonly qid: string; readonly docid: string; readonly grade: number }>,
): Map<string, Map<string, number>> {
  const qrels = new Map<string, Map<string, number>>();
  for (const { qid, docid, grade } of judgements) {
    if (!qrels.has(qid)) qrels.set(qid, new Map());
    qrels.get(qid)!.set(docid, grade);
  }
  return qrels;
}

function readLines<T>(folder: string, name: string): T[] {
  const path = join(folder, `${name}.jsonl`);
  if (existsSync(path)) return readJsonLines(path);
  throw new MemoError(
    "not-found",
    `Cannot read the suite at \`${folder}\`: it has no \`${name}.jsonl\``,
    { hint: "A suite has corpus.jsonl, queries.jsonl and qrels.jsonl; see bench/README.md" },
  );
}

/** The values of a file with one JSON document a line. Throws a MemoError that names file and line. */
export function readJsonLines<T>(path: string): T[] {
  const values: T[] = [];
  for (const [i, line] of readFileSync(path, "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      values.push(JSON.parse(line));
    } catch {
      throw new MemoError("file", `Cannot read \`${path}\`: line ${i + 1} is not JSON`);
    }
  }
  return values;
}
