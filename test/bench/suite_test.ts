import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadSuite, readJsonLines, type SuiteQuery } from "../../bench/suite.ts";
import { timeOf } from "../../bench/store.ts";
import { TYPES } from "../../src/core/memory/types.ts";

const FOLDER = fileURLToPath(new URL("../../bench/suites/coding-agent/", import.meta.url));
const { documents, queries, qrels } = loadSuite(FOLDER);

/** What a prompt needs, best first: the documents with grade 2, in the file's order. */
function needed(query: SuiteQuery): string[] {
  return [...qrels.get(query.id) ?? []].filter(([, grade]) => grade === 2).map(([id]) => id);
}

/** The rule in the suite's README. */
function splitOf(query: SuiteQuery): "dev" | "test" {
  const key = needed(query)[0] ?? query.id;
  return createHash("sha256").update(key).digest()[0]! % 10 < 4 ? "dev" : "test";
}

Deno.test("the coding-agent suite names each document and each query once", () => {
  for (const rows of [documents, queries]) {
    assert.equal(new Set(rows.map((row) => row.id)).size, rows.length);
  }
  assert.equal(new Set(queries.map((query) => query.text)).size, queries.length);
});

Deno.test("the coding-agent suite's memories are complete", () => {
  const types = new Set<string>(TYPES.map((row) => row.name));
  for (const { id, title, text, type, lang, ts, scope } of documents) {
    assert.ok(title && text && lang, id);
    assert.ok(types.has(type!) && type !== "*", `${id} has type ${type}`);
    assert.ok(scope === "user" || scope === "project", `${id} has scope ${scope}`);
    assert.ok(timeOf(ts) !== undefined, `${id} has no usable time`);
  }
});

Deno.test("the coding-agent suite's judgements are of documents and queries it has, once each", () => {
  const ids = new Set(documents.map((document) => document.id));
  const asked = new Set(queries.map((query) => query.id));
  const judgements = readJsonLines<{ qid: string; docid: string; grade: number }>(
    `${FOLDER}qrels.jsonl`,
  );
  for (const { qid, docid, grade } of judgements) {
    assert.ok(asked.has(qid), `${qid} is no query`);
    assert.ok(ids.has(docid), `${docid} is no document`);
    assert.ok([0, 1, 2].includes(grade), `${qid} ${docid} has grade ${grade}`);
  }
  const pairs = new Set(judgements.map(({ qid, docid }) => `${qid} ${docid}`));
  assert.equal(pairs.size, judgements.length);
});

Deno.test("the coding-agent suite has a needed memory for each prompt, or no judgement at all", () => {
  for (const query of queries) {
    if (query.no_answer) assert.equal(qrels.get(query.id), undefined, query.id);
    else assert.notEqual(needed(query).length, 0, `${query.id} needs nothing`);
  }
});

Deno.test("the coding-agent suite is split by document", () => {
  for (const query of queries) assert.equal(query.split, splitOf(query), query.id);
});

Deno.test("the coding-agent suite's README counts the categories as they are", () => {
  const readme = readFileSync(`${FOLDER}README.md`, "utf8");
  const stated = [...readme.matchAll(/^\| ([a-z-]+)\s*\| (\d+)\s*\| (\d+)\s*\| (\d+)\s*\|/gm)]
    .map(([, category, all, dev, test]) => [category, Number(all), Number(dev), Number(test)]);
  const counted = [...Map.groupBy(queries, (query) => query.category)].map(
    ([category, members]) => {
      const dev = members.filter((query) => query.split === "dev").length;
      return [category, members.length, dev, members.length - dev];
    },
  );
  assert.deepEqual(stated.map(String).sort(), counted.map(String).sort());
});
