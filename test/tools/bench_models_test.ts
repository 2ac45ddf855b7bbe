import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSuite } from "../../bench/suite.ts";
import { openEmbedder } from "../../src/embed/mod.ts";
import { REQUIRED, weightsIn } from "../../src/embed/files.ts";
import { BUILTIN, MEASURED, modelName, profileOf } from "../../src/embed/models.ts";
import { pathsFor } from "../../src/paths.ts";
import { OTHERS } from "../../tools/model/others.ts";
import { openPackage } from "../../tools/model/packages.ts";
import {
  measuredOf,
  type ModelResult,
  type ModelsReport,
  suiteResult,
} from "../../tools/bench/models_report.ts";
import { timeVectors } from "../../tools/bench/vector_times.ts";
import { reportOf } from "../../bench/recall_report.ts";
import { temporaryFolder } from "../support/temp.ts";

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const SUITE = loadSuite(root("bench/suites/coding-agent"));

for (const source of OTHERS) {
  Deno.test(`${source.model} is in the table of models and is laid out as transformers.js wants it`, () => {
    using folder = temporaryFolder();
    const profile = profileOf(modelName(source.model));
    assert.notEqual(profile.prefixes.query, "", "a row of its own");
    const read: string[] = [];
    const { files } = source.convert((path) => {
      read.push(path);
      return new TextEncoder().encode("{}");
    });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder.path, dirname(path)), { recursive: true });
      writeFileSync(join(folder.path, path), content);
    }
    assert.equal(weightsIn(folder.path)?.dtype, "q8");
    for (const path of REQUIRED) assert.ok(existsSync(join(folder.path, path)), path);
    assert.ok(read.every((path) => path.startsWith(source.model)), read.join(" "));
  });
}

Deno.test("openPackage() says that Maven is missing", () => {
  const path = process.env["PATH"];
  process.env["PATH"] = "";
  try {
    const wanted = { ...OTHERS[0]!.package, version: "0.0.0-none" };
    assert.throws(() => openPackage(wanted), /mvn is not on the PATH/);
  } finally {
    process.env["PATH"] = path;
  }
});

Deno.test("suiteResult() counts blocks by the category of prompts without an answer", () => {
  const queries = [
    { id: "q1", text: "?", category: "asked" },
    { id: "q2", text: "?", category: "off-topic", no_answer: true },
    { id: "q3", text: "?", category: "off-topic", no_answer: true },
  ];
  const suite = {
    documents: [{ id: "d1", text: "a" }, { id: "d2", text: "b" }],
    queries,
    qrels: new Map([["q1", new Map([["d1", 1]])]]),
  };
  const answers = queries.map((query) => {
    const injected = query.id === "q3" ? [] : ["d1"];
    return {
      query,
      ranking: [{ id: "d2", score: 0.9 }, { id: "d1", score: 0.8 }],
      injected,
      whole: injected,
      before: { injected: [], whole: [] },
      bytes: 1,
      ms: 1,
      failures: [],
      toll: { calls: 0, tokens: 0, recorded: 0, recordedMs: 0, usd: 0 },
    };
  });
  const conditions = { suite: "s", kind: "memo", model: "m", triggers: "own", selection: {} };
  const run = { answers: new Map([["hybrid", answers]]), leftOut: [] };
  const report = reportOf(suite as never, run as never, conditions as never);
  assert.deepEqual(suiteResult(report), {
    prompts: 3,
    mrr: 0.5,
    served: 1,
    servedWhole: 1,
    precision: 0.5,
    blocks: { "off-topic": { of: 2, share: 0.5 } },
  });
});

Deno.test("timeVectors() times every model with prompts and passages", async () => {
  const paths = pathsFor({ MEMO_HOME: "/nowhere" });
  const embedder = await openEmbedder(BUILTIN, paths);
  const roles = new Map<string, number[]>();
  const counting = {
    ...embedder,
    embed(text: string, role: "query" | "passage" = "passage") {
      roles.set(role, [...roles.get(role) ?? [], embedder.countTokens(text)]);
      return embedder.embed(text, role);
    },
  };
  const times = await timeVectors(new Map([["one", counting], ["two", embedder]]), SUITE, {
    rounds: 1,
  });
  await embedder.close();
  assert.deepEqual([...times.keys()], ["one", "two"]);
  for (const { promptMs, passageMs } of times.values()) assert.ok(promptMs > 0 && passageMs > 0);
  assert.ok(roles.get("query")!.length > 0);
  for (const tokens of roles.get("passage")!) assert.ok(tokens >= 150 && tokens < 200, `${tokens}`);
});

Deno.test("measuredOf() leaves out what was not measured on both suites", () => {
  const suite = {
    prompts: 1,
    mrr: 0.7261,
    served: 0.574,
    servedWhole: 0,
    precision: 1,
    blocks: {},
  };
  const own = { "coding-agent": suite };
  const model = { from: "", id: "", weightsBytes: 1, passageMs: 1, store: {} as never };
  const miniLm: ModelResult = { ...model, model: "all-MiniLM-L6-v2", promptMs: 4, suites: own };
  const suites = { ...own, "xquad-es-en": { ...suite, mrr: 0.9532 } };
  const other: ModelResult = { ...model, model: "other", promptMs: 6.2, suites };
  assert.deepEqual(measuredOf([miniLm, other]), {
    other: { mrr: 0.726, served: 0.57, spanishToEnglish: 0.953, time: 1.6 },
  });
  assert.deepEqual(measuredOf([other]), {}, "nothing to compare the time with");
});

Deno.test("What memo model list shows is what bench/results/models.json has", () => {
  const report = JSON.parse(
    readFileSync(root("bench/results/models.json"), "utf8"),
  ) as ModelsReport;
  assert.deepEqual(MEASURED, { ...MEASURED, ...measuredOf(report.models) });
});
