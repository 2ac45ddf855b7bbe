import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RecallRun } from "../../../../bench/recall.ts";
import type { RecallReport } from "../../../../bench/recall_report.ts";
import type { Suite } from "../../../../bench/suite.ts";
import { loadConfig } from "../../../core/settings/config.ts";
import { whyNotSent } from "../../../core/settings/purposes.ts";
import { MemoError } from "../../../errors.ts";
import type { CliContext } from "../shared/command.ts";
import { say } from "../shared/output.ts";
import { modelAccess, type ModelOptions } from "./model.ts";
import { type JsonOption, present, writeInto } from "./shared.ts";
import { withBars } from "../shared/progress.ts";

export interface RecallOptions extends ModelOptions, OutputOptions {
  readonly suite?: string;
  readonly strategy?: readonly string[];
}

/** Files that a report is written to. */
export interface OutputOptions {
  readonly json?: JsonOption;
  readonly runDir?: string;
}

/** `memo bench recall`: measures strategies on a suite. */
export async function runRecall(options: RecallOptions, context: CliContext): Promise<void> {
  const { openSuite } = await import("../../../../bench/loaders/mod.ts");
  const { benchRecall } = await import("../../../../bench/recall.ts");
  const { contendersFor } = await import("../../../../bench/contenders.ts");
  const { describeMachine } = await import("../../../../bench/machine.ts");
  const { reportOf } = await import("../../../../bench/recall_report.ts");
  const { renderRecall } = await import("../../../../bench/recall_table.ts");

  const { name, kind, suite } = openSuite(await suitePath(options.suite, context));
  const config = loadConfig(context.paths.config, context.env);
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const contenders = contendersFor(options.strategy, config);
  const embedder = await openCachedEmbedder(config.model, context.paths.bench, context);
  try {
    const model = await modelAccess(options, { config, context });
    const run = await withBars((onProgress) =>
      benchRecall(suite, { contenders, embedder, config, model, onProgress })
    );
    const machine = describeMachine();
    const facts = { machine, suite: name, kind, model: embedder.id };
    const report = reportOf(suite, run, facts);
    await writeReport(report, { suite, run, options, table: renderRecall(report) });
  } finally {
    await embedder.close();
  }
}

/** Opens the configured model, with a cache of passage vectors in a folder. */
export async function openCachedEmbedder(
  model: string,
  folder: string,
  { paths, env }: CliContext,
) {
  const { openEmbedder } = await import("../../../core/embed/mod.ts");
  const { cached } = await import("../../../../bench/vector_cache.ts");
  const config = loadConfig(paths.config, env);
  const keyFile = config["embed.key_file"];
  const refusal = () => whyNotSent("embedding", config);
  return cached(await openEmbedder(model, paths, { keyFile, refusal }), folder);
}

/** Writes a report in each requested format. */
export async function writeReport(
  report: RecallReport,
  { suite, run, options: { json, runDir }, table }: {
    readonly suite: Suite;
    readonly table: string;
    readonly run: RecallRun;
    readonly options: OutputOptions;
  },
): Promise<void> {
  const { RECALL_JSON_DEPTH } = await import("../../../../bench/recall_report.ts");
  await present(report, { json, depth: RECALL_JSON_DEPTH, table });
  if (runDir === undefined) return;
  const { qrelsFile, runFile } = await import("../../../../bench/run_file.ts");
  writeInto(join(runDir, "qrels"), qrelsFile(suite.qrels));
  for (const [strategy, given] of run.answers) {
    writeInto(join(runDir, `${strategy}.run`), runFile(strategy, given));
  }
}

const DEFAULT_SUITE = "coding-agent";

/** The path of a suite: a path as given, or a built-in suite by name. */
async function suitePath(
  named: string = DEFAULT_SUITE,
  { cwd, paths }: CliContext,
): Promise<string> {
  if (existsSync(resolve(cwd, named))) return resolve(cwd, named);
  const { suitesFolder } = await import("../../../core/native/mod.ts");
  const { suitesIn } = await import("../../../../bench/loaders/mod.ts");
  const folder = suitesFolder(paths);
  const known = suitesIn(folder);
  if (known.includes(named)) return join(folder, named);
  throw new MemoError("not-found", `Cannot find the suite \`${named}\``, {
    hint: `Run \`memo bench recall --suite ./FOLDER\`, or name a built-in suite: ${
      known.join(", ")
    }`,
  });
}
