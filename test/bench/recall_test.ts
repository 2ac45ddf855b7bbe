// The whole bench over a small suite with the real model: what it builds, asks, judges and writes.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { contendersFor } from "../../bench/contenders.ts";
import { benchRecall } from "../../bench/recall.ts";
import { reportOf } from "../../bench/recall_report.ts";
import { renderRecall } from "../../bench/recall_table.ts";
import { buildStore } from "../../bench/store.ts";
import { describeMachine } from "../../bench/machine.ts";
import { loadSuite } from "../../bench/suite.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { MemoError } from "../../src/errors.ts";
import { pathsFor } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

/** Ten notes, one of another project, and six prompts: one without a judgement, two that nothing answers. */
const SUITE = loadSuite(fileURLToPath(new URL("../fixtures/suites/memo/toy", import.meta.url)));

const CONDITIONS = {
  machine: describeMachine(),
  suite: "toy",
  kind: "memo",
  model: "builtin",
};

const config = loadConfig("/nowhere", {});
const open = () => openEmbedder("builtin", pathsFor({ MEMO_HOME: "/nowhere" }));

Deno.test("The bench ranks, judges and reports a small suite", async () => {
  const embedder = await open();
  try {
    const contenders = contendersFor(undefined, config);
    const run = await benchRecall(SUITE, { contenders, embedder, config });
    const { answers, leftOut } = run;
    assert.deepEqual(
      [...answers.keys()],
      contenders.filter(({ asks }) => asks === "never").map(({ name }) => name),
    );
    assert.deepEqual(leftOut.map(({ strategy }) => strategy), ["verify", "sidequery"]);
    for (const [strategy, given] of answers) {
      assert.deepEqual(given.map(({ query }) => query.id), SUITE.queries.map(({ id }) => id));
      const [, , , elsewhere, , gated] = given;
      assert.ok(elsewhere!.ranking.every(({ id }) => id !== "far"), `${strategy} left the scope`);
      assert.deepEqual(gated!.injected, []);
      for (const { ranking, injected, bytes } of given) {
        assert.equal(new Set(ranking.map(({ id }) => id)).size, ranking.length);
        assert.equal(bytes > 0, injected.length > 0);
      }
    }

    const report = reportOf(SUITE, run, CONDITIONS);
    assert.deepEqual(report.prompts, { answerable: 3, noAnswer: 2, unjudged: 1 });
    const hybrid = report.strategies[0]!;
    assert.equal(hybrid.strategy, "hybrid");
    assert.equal(hybrid.measures["MRR@10"], 1);
    assert.equal(hybrid.felt.served, 1);
    assert.deepEqual(report.ranks["q2"]!["hybrid"], { vpn: 1 });
    assert.deepEqual(Object.keys(report.ranks), ["q1", "q2", "q3"]);
    assert.equal(report.significance.length, answers.size - 1);

    const text = renderRecall(report);
    assert.match(text, /toy: 10 memories, 5 prompts[^]*nDCG@10/);
    for (const part of ["By category", "By type", "By language", "is left out"]) {
      assert.ok(text.includes(part), `${part} is missing in\n${text}`);
    }
  } finally {
    await embedder.close();
  }
});

Deno.test("A store is asked on the day after its newest document, so that results do not age", async () => {
  using temp = temporaryFolder();
  const embedder = await open();
  const store = await buildStore(SUITE, { folder: temp.path, embedder });
  try {
    assert.equal(store.now.toISOString(), "2026-05-02T12:00:00.000Z");
    const corpus = await store.index.corpus(store.foldersOf("here"));
    assert.equal(await corpus.size(), 9);
    assert.equal(await (await store.index.corpus(store.foldersOf(undefined))).size(), 10);
    assert.equal(await (await store.index.corpus(store.foldersOf("unheard of"))).size(), 0);
    assert.equal((await store.index.statistics()).pending, 0);
    const [memory] = await corpus.newest(1);
    assert.ok(SUITE.documents.some(({ id }) => id === store.documentAt(memory!.path)));
  } finally {
    store.index.close();
    await embedder.close();
  }
});

Deno.test("With nobody to ask, a strategy that asks a language model alone is an error that says why", async () => {
  const embedder = await open();
  try {
    await assert.rejects(
      benchRecall(SUITE, {
        contenders: contendersFor(["sidequery"], config),
        embedder,
        config,
        model: { because: "no key" },
      }),
      (error) => error instanceof MemoError && error.message.endsWith("no key"),
    );
  } finally {
    await embedder.close();
  }
});

Deno.test("Strategies are compared as they are named, and an unknown one is refused", () => {
  assert.deepEqual(contendersFor(["keyword", "hybrid"], config).map(({ only }) => only), [
    "keyword",
    "hybrid",
  ]);
  assert.throws(
    () => contendersFor(["psychic"], config),
    (error) => error instanceof MemoError && error.hint!.includes("hybrid"),
  );
});
