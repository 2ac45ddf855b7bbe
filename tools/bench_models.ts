// Compares embedding models: lays out each one that can be had, runs the bench of the executable with it, and writes
// bench/results/models.json and src/embed/measured.json; `deno task docs` then writes its table.
//
//   deno task bench:models          memo's own suites
//   deno task bench:models DIR      and those in a folder

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HookReport } from "../bench/hook.ts";
import { describeMachine } from "../bench/machine.ts";
import type { RecallReport } from "../bench/recall_report.ts";
import { resultsJson } from "../bench/results_json.ts";
import { loadSuite } from "../bench/suite.ts";
import type { Embedder } from "../src/embed/embedder.ts";
import { messageOf } from "../src/errors.ts";
import { openEmbedder } from "../src/embed/mod.ts";
import { outsideOf, weightsIn, WORDS } from "../src/embed/files.ts";
import { MEASURED, pulledFolder } from "../src/embed/models.ts";
import { lab, memo, PATHS, RESULTS } from "./bench/executable.ts";
import { layOut } from "./bench/lay_out.ts";
import {
  measuredOf,
  type ModelResult,
  MODELS_JSON_DEPTH,
  type ModelsReport,
  OTHER_OWN,
  OWN,
  OWN_TEST,
  SHARED,
  type StoreResult,
  type SuiteResult,
  suiteResult,
} from "./bench/models_report.ts";
import { timeVectors, type VectorTimes } from "./bench/vector_times.ts";
import { OTHERS } from "./model/others.ts";
import { type ModelSource, SOURCES } from "./model/sources.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MEASURED_FILE = join(ROOT, "src/embed/measured.json");
/** Memories of the store whose first index is timed. */
const MEMORIES = 1000;
/** Prompts before the daemon's memory is read. */
const PROMPTS = 20;

const [folder] = process.argv.slice(2);
if (folder !== undefined && sharedSuites(folder).length === 0) {
  throw new Error(`None of ${SHARED.join(", ")} is in ${folder}`);
}
const scratch = mkdtempSync(join(tmpdir(), "memo-models-"));
try {
  const report = resultsJson(await compare(), MODELS_JSON_DEPTH);
  writeFileSync(join(RESULTS, "models.json"), report);
  const { models } = JSON.parse(report) as ModelsReport; // rounded, as whoever reads the file has them
  const figures = { ...MEASURED, ...measuredOf(models) };
  writeFileSync(MEASURED_FILE, JSON.stringify(figures, null, 2) + "\n");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function compare(): Promise<ModelsReport> {
  const names = new Map<ModelSource, string>();
  const leftOut: ModelsReport["leftOut"][number][] = [];
  for (const source of [...SOURCES, ...OTHERS]) {
    try {
      names.set(source, layOut(source));
    } catch (error) {
      leftOut.push({ model: source.model, because: messageOf(error) });
      console.error(`Leaving ${source.model} out: ${messageOf(error)}`);
    }
  }
  const times = await vectorTimes([...names.values()]);
  const models: ModelResult[] = [];
  let machine = describeMachine();
  for (const [source, name] of names) {
    const { result, report } = measure(source, { name, times: times.get(name)! });
    models.push(result);
    machine = report.machine; // the executable's build
  }
  return { machine, models, leftOut };
}

function measure(
  { model, package: from }: ModelSource,
  { name, times }: { readonly name: string; readonly times: VectorTimes },
): { readonly result: ModelResult; readonly report: RecallReport } {
  console.error(`\n${name}`);
  const suites: Record<string, SuiteResult> = {};
  const recall = (suite: string, run?: typeof memo, ...chosen: string[]) =>
    bench<RecallReport>(name, ["recall", "--suite", suite, "--strategy", "hybrid", ...chosen], run);
  const report = recall(OWN);
  suites[OWN] = suiteResult(report);
  suites[OWN_TEST] = suiteResult(recall(OWN, lab, "--split", "test"));
  for (const suite of suitesToAsk()) suites[basename(suite)] = suiteResult(recall(suite));
  const modelFolder = pulledFolder(name, PATHS), { path } = weightsIn(modelFolder)!;
  const sizes = [path, outsideOf(path), WORDS.rows].map((file) =>
    statSync(join(modelFolder, file), { throwIfNoEntry: false })?.size ?? 0
  );
  const result = {
    model,
    from: `${from.registry} ${from.name} ${from.version}`,
    id: report.model,
    weightsBytes: sizes.reduce((sum, size) => sum + size),
    suites,
    ...times,
    store: storeResult(name),
  };
  return { result, report };
}

/** memo's own suites after the first, and those of the folder that the table has. */
function suitesToAsk(): string[] {
  return [...OTHER_OWN, ...folder === undefined ? [] : sharedSuites(folder)];
}

function sharedSuites(folder: string): string[] {
  return SHARED.map((name) => join(folder, name)).filter((path) => existsSync(path));
}

function storeResult(name: string): StoreResult {
  const { stores } = bench<HookReport>(name, [
    "hook",
    "--memories",
    String(MEMORIES),
    "--runs",
    String(PROMPTS),
    "--sessions",
    "1",
  ]);
  const { memories, index, rssBytes } = stores[0]!;
  return { memories, passages: index!.passages, indexMs: index!.ms, rssBytes: rssBytes! };
}

/** Runs a bench of the executable, or an experiment, with a model, and reads its report. */
function bench<Report>(
  model: string,
  [what, ...args]: readonly [string, ...string[]],
  run: typeof memo = memo,
): Report {
  const file = join(scratch, "report.json");
  run(what, [...args, "--json", file], { MEMO_MODEL: model });
  return JSON.parse(readFileSync(file, "utf8")) as Report;
}

async function vectorTimes(names: readonly string[]): Promise<Map<string, VectorTimes>> {
  const embedders = new Map<string, Embedder>();
  for (const name of names) embedders.set(name, await openEmbedder(name, PATHS));
  try {
    return await timeVectors(embedders, loadSuite(join(ROOT, "bench/suites", OWN)));
  } finally {
    for (const embedder of embedders.values()) await embedder.close();
  }
}
