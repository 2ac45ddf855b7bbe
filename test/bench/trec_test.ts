// External tools reading the run files get the same numbers: checked with an implementation of its own.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { meanMeasures } from "../../bench/metrics.ts";
import type { RecallReport } from "../../bench/recall_report.ts";
import { qrelsFile, runFile } from "../../bench/run_file.ts";
import { pathsFor } from "../../src/paths.ts";
import { changeSettingsFile } from "../../src/core/settings/config_file.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";
import { type Loopback, sendJson, serveLoopback } from "../support/loopback.ts";
import { type Measures, trecEval } from "../support/trec_eval.ts";
import { answerOf } from "./answers.ts";

/** Our names of trec_eval's measures. */
const NAMES = {
  "R@1": "recall_1",
  "R@5": "recall_5",
  "R@10": "recall_10",
  "hit@5": "success_5",
  "MRR@10": "recip_rank_cut_10",
  "nDCG@10": "ndcg_cut_10",
} as const;

function assertSame(
  ours: Readonly<Record<string, number>>,
  theirs: Measures,
  within: number,
): void {
  for (const [name, theirName] of Object.entries(NAMES)) {
    const difference = Math.abs(ours[name]! - theirs[theirName]);
    assert.ok(difference < within, `${name}: ${ours[name]} and ${theirs[theirName]}`);
  }
}

const SUITE = new URL("../../bench/suites/coding-agent/", import.meta.url);
const DOCUMENTS = Array.from({ length: 30 }, (_, i) => `d${i}`);

Deno.test("Run files say what we say: ties, missing queries, graded gains, grades of 0 and below", () => {
  const query = fc.record({
    ranking: fc.shuffledSubarray(DOCUMENTS),
    scores: fc.array(fc.constantFrom(1, 0.5, 0.25, 0), { minLength: 30, maxLength: 30 }),
    grades: fc.dictionary(fc.constantFrom(...DOCUMENTS), fc.integer({ min: -1, max: 3 }), {
      minKeys: 1,
    }),
  }).filter(({ grades }) => Object.values(grades).some((grade) => grade > 0));
  fc.assert(fc.property(fc.array(query, { minLength: 1, maxLength: 8 }), (queries) => {
    const answers = queries.map(({ ranking, scores }, i) => {
      const falling = [...scores].sort((a, b) => b - a);
      const ranked = ranking.map((id, at) => ({ id, score: falling[at]! }));
      return answerOf({ id: `q${i}`, text: "?" }, ranked);
    });
    const qrels = new Map(
      queries.map(({ grades }, i) => [`q${i}`, new Map(Object.entries(grades))]),
    );
    const ours = meanMeasures(
      answers.map(({ query, ranking }) => ({
        ranking: ranking.map(({ id }) => id),
        grades: qrels.get(query.id)!,
      })),
    );
    assertSame(ours, trecEval(qrelsFile(qrels), runFile("s", answers)), 1e-9);
  }));
});

/** Runs `memo bench recall` in a home, and compares what it says of each strategy with what its run files say. */
async function bench(home: Home, args: readonly string[]) {
  const [json, runs] = [join(home.root, "recall.json"), join(home.root, "runs")];
  const outputs = ["--json", json, "--run-dir", runs];
  const { code, stderr, stdout } = await runMemo(home, ["bench", "recall", ...args, ...outputs]);
  assert.equal(code, 0, stderr);
  const report: RecallReport = JSON.parse(readFileSync(json, "utf8"));
  const names = report.strategies.map(({ strategy }) => strategy);
  assert.deepEqual(
    readdirSync(runs).sort(),
    ["qrels", ...names.map((name) => `${name}.run`)].sort(),
  );
  const asked = new Set(Object.keys(report.ranks));
  const qrels = readFileSync(join(runs, "qrels"), "utf8").split("\n")
    .filter((line) => asked.has(line.split(" ")[0]!)).join("\n");
  for (const { strategy, measures } of report.strategies) {
    const theirs = trecEval(qrels, readFileSync(join(runs, `${strategy}.run`), "utf8"));
    assertSame(measures, theirs, 1e-4); // the JSON has four decimals
  }
  return { report, stdout };
}

/** A model on this machine that takes no time: a text's vector counts its words, each in one of 64 places. */
function serveModel(): Promise<Loopback> {
  return serveLoopback(({ body }, response) => {
    const embedding = Array<number>(64).fill(0);
    for (const word of (JSON.parse(body).input as string).toLowerCase().match(/\p{L}+/gu) ?? []) {
      embedding[createHash("md5").update(word).digest()[0]! % 64]! += 1;
    }
    sendJson(response, 200, { data: [{ index: 0, embedding }] });
  });
}

Deno.test("memo bench recall measures the suite it carries, and its run files give the same numbers", async () => {
  await using model = await serveModel();
  await using home = makeHome({}, { hasModel: true });
  changeSettingsFile(pathsFor(home.env).config, { model: `${model.url}/v1#words` });
  const { report, stdout } = await bench(home, ["--strategy", "hybrid,keyword,sidequery"]);
  assert.match(stdout, /sidequery is left out: no language model is available/);
  assert.equal(report.suite, "coding-agent");
  assert.equal(report.memories, 266);
  assert.equal(report.prompts.answerable, 468);
  assert.deepEqual(report.strategies.map(({ strategy }) => strategy), ["hybrid", "keyword"]);
});

Deno.test("memo bench recall measures a suite of one's own with the model it carries", async () => {
  await using home = makeHome({}, { hasModel: true });
  const folder = join(home.root, "few");
  mkdirSync(folder);
  const linesOf = (name: string): { id: string; qid: string; docid: string; grade: number }[] =>
    readFileSync(new URL(name, SUITE), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const queries = linesOf("queries.jsonl").slice(0, 25);
  const qrels = linesOf("qrels.jsonl").filter(({ qid }) => queries.some(({ id }) => id === qid));
  const corpus = linesOf("corpus.jsonl").filter(({ id }) =>
    qrels.some(({ docid, grade }) => docid === id && grade > 0)
  );
  for (const [name, rows] of Object.entries({ queries, qrels, corpus })) {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    writeFileSync(join(folder, `${name}.jsonl`), text);
  }
  const { report } = await bench(home, ["--suite", folder, "--strategy", "hybrid"]);
  assert.equal(report.memories, corpus.length);
  assert.match(report.model, /^builtin\//);
  assert.deepEqual(report.strategies.map(({ strategy }) => strategy), ["hybrid"]);
});
