import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Answer } from "../../bench/answer.ts";
import type { RecallReport } from "../../bench/recall_report.ts";
import { loadConfig } from "../config.ts";
import { MemoError } from "../errors.ts";
import type { CliContext } from "./command.ts";
import { wholeNumber } from "./options.ts";
import { out, say } from "./output.ts";
import { type Progress, progressBar } from "./progress.ts";

interface RecallOptions {
  readonly suite?: string;
  readonly strategy?: readonly string[];
  readonly split: string;
  readonly category?: string;
  readonly limit?: number;
  readonly json?: string;
  readonly runDir?: string;
}

interface HookOptions {
  readonly memories: readonly number[];
  readonly runs: number;
  readonly sessions: readonly number[];
  readonly json?: string;
}

/** `memo bench`: which strategy finds what, and how fast the hook is. */
export function define(command: Command, context: CliContext): void {
  command.command("recall", { isDefault: true })
    .description("Measure how well each strategy finds what a suite's prompts need")
    .option(
      "--suite <path>",
      "Suite to measure on: a folder or a file, or the name of a built-in one",
    )
    .option(
      "-s, --strategy <names>",
      "Strategies to compare, by commas; the first is the reference",
      list,
    )
    .addOption(
      new Option("--split <split>", "Queries of this split").choices(["dev", "test", "all"])
        .default("all"),
    )
    .option("--category <category>", "Queries of this category")
    .option("--limit <number>", "At most this many queries", wholeNumber)
    .option("--json <file>", "Write everything as JSON, with the ranks of each query")
    .option("--run-dir <folder>", "Write a TREC run file for each strategy")
    .action((options: RecallOptions) => runRecall(options, context));

  command.command("hook")
    .description("Measure the hook as a process, in a temporary home of its own")
    .option("--memories <numbers>", "Sizes of the store, by commas", numbers, [1000])
    .option("--runs <number>", "Prompts in each series", wholeNumber, 200)
    .option("--sessions <numbers>", "Sessions at once, by commas", numbers, [1, 2, 4, 8, 16])
    .option("--json <file>", "Write everything as JSON, with each single time")
    .action((options: HookOptions) => runHook(options));
}

async function runRecall(options: RecallOptions, context: CliContext): Promise<void> {
  const { openSuite } = await import("../../bench/loaders/mod.ts");
  const { select } = await import("../../bench/select.ts");
  const { benchRecall, contendersFor, leftOut } = await import("../../bench/recall.ts");
  const { describeMachine } = await import("../../bench/machine.ts");
  const { reportOf, renderRecall } = await import("../../bench/recall_report.ts");

  const { name, kind, suite } = openSuite(await suitePath(options.suite, context));
  const split = options.split === "all" ? undefined : options.split;
  const selection = { split, category: options.category, limit: options.limit };
  const chosen = select(suite, selection);
  const config = loadConfig(context.paths.config, context.env);
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const contenders = contendersFor(options.strategy, config);
  for (const strategy of leftOut(options.strategy)) {
    say(`${strategy} asks a language model and is left out; \`--strategy ${strategy}\` runs it`);
  }

  const embedder = await openCachedEmbedder(config.model, context);
  try {
    const answers = await withBars((onProgress) =>
      benchRecall(chosen, { contenders, embedder, config, onProgress })
    );
    const report = reportOf(chosen, answers, {
      machine: describeMachine(),
      suite: name,
      kind,
      model: embedder.id,
      selection,
    });
    out(renderRecall(report));
    await writeRecall(report, answers, options);
  } finally {
    await embedder.close();
  }
}

async function openCachedEmbedder(model: string, { paths }: CliContext) {
  const { openEmbedder } = await import("../embed/mod.ts");
  const { cached } = await import("../../bench/vector_cache.ts");
  return cached(await openEmbedder(model, paths), join(paths.state, "bench"));
}

async function writeRecall(
  report: RecallReport,
  answers: ReadonlyMap<string, readonly Answer[]>,
  { json, runDir }: RecallOptions,
): Promise<void> {
  if (json !== undefined) {
    const { resultsJson } = await import("../../bench/results_json.ts");
    const { RECALL_JSON_DEPTH } = await import("../../bench/recall_report.ts");
    writeInto(json, resultsJson(report, RECALL_JSON_DEPTH));
  }
  if (runDir !== undefined) {
    const { runFile } = await import("../../bench/run_file.ts");
    for (const [strategy, given] of answers) {
      writeInto(join(runDir, `${strategy}.run`), runFile(strategy, given));
    }
  }
}

async function runHook(options: HookOptions): Promise<void> {
  const { benchHook } = await import("../../bench/hook.ts");
  const { HOOK_JSON_DEPTH, renderHook } = await import("../../bench/hook_report.ts");
  const report = await withBars((onProgress) => benchHook({ ...options, onProgress, say }));
  out(renderHook(report));
  if (options.json !== undefined) {
    const { resultsJson } = await import("../../bench/results_json.ts");
    writeInto(options.json, resultsJson(report, HOOK_JSON_DEPTH));
  }
}

/** The suite that is meant: a path, the name of one of memo's own, or the first of these. */
async function suitePath(named: string | undefined, { cwd }: CliContext): Promise<string> {
  if (named !== undefined && existsSync(resolve(cwd, named))) return resolve(cwd, named);
  const { suitesIn } = await import("../../bench/loaders/mod.ts");
  const folder = suitesFolder(cwd);
  const known = folder === undefined ? [] : suitesIn(folder);
  const name = named ?? known.find((suite) => suite === DEFAULT_SUITE);
  if (folder !== undefined && name !== undefined && known.includes(name)) return join(folder, name);
  throw new MemoError(
    named === undefined ? "usage" : "not-found",
    named === undefined
      ? "No suite is named, and the executable carries none"
      : `There is no suite \`${named}\``,
    {
      hint: known.length > 0
        ? `memo bench recall --suite ${known.join(" | ")}`
        : "Run `memo bench recall --suite ./folder`; memo's own are in `bench/suites` of its sources",
    },
  );
}

const DEFAULT_SUITE = "coding-agent";

/** `bench/suites` of the sources that are run, or of the working directory. */
function suitesFolder(cwd: string): string | undefined {
  const ofSources = fileURLToPath(new URL("../../bench/suites", import.meta.url));
  return [ofSources, join(cwd, "bench", "suites")].find((folder) => existsSync(folder));
}

/** Gives work a progress bar that changes with what it is at. */
async function withBars<T>(
  work: (onProgress: (what: string, done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  let current: { readonly what: string; readonly bar: Progress } | undefined;
  try {
    return await work((what, done, total) => {
      if (current?.what !== what) {
        current?.bar.stop();
        current = { what, bar: progressBar(what) };
      }
      current.bar.update(done, total);
    });
  } finally {
    current?.bar.stop();
  }
}

function writeInto(path: string, text: string): void {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  writeFileSync(path, text);
}

function list(value: string): string[] {
  return value.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function numbers(value: string): number[] {
  const found = list(value).map(wholeNumber);
  if (found.length === 0) throw new InvalidArgumentError("It takes whole numbers, by commas.");
  return found;
}
