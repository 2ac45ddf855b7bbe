import { type Command, InvalidArgumentError } from "commander";
import type { BenchRecallOptions } from "./bench/recall.ts";
import type { CliContext } from "./shared/command.ts";
import { list, wholeNumber } from "./shared/options.ts";
import type { HookBenchOptions, HookReport } from "../../../bench/hook.ts";
import { loadConfig } from "../../core/settings/config.ts";
import { out, say } from "./shared/output.ts";
import { withBars } from "./shared/progress.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const JSON_TO = "Print all results as JSON, or write them to a file";
/** Numbers of sessions at once. */
const SESSIONS = [1, 2, 4, 8, 16];

/** `memo bench`: measures retrieval quality and hook latency. */
export function define(command: Command, context: CliContext): void {
  const ranking = () => import("./bench/recall.ts");
  ranked(command.command("mine", { isDefault: true }))
    .description("Recommend strategies based on your own memories (default)")
    .action(async (options: BenchRecallOptions) =>
      await (await ranking()).runMine(options, context)
    );

  ranked(command.command("recall"))
    .description("Measure retrieval quality of each strategy on a suite")
    .option("--suite <path>", "Folder, file, or name of a built-in suite (default: `coding-agent`)")
    .action(async (options: BenchRecallOptions) =>
      await (await ranking()).runRecall(options, context)
    );

  command.command("hook")
    .description("Measure the latency of the hook process in a temporary home")
    .option("--memories <numbers>", "Comma-separated store sizes", numbers, [1000])
    .option("--runs <number>", "Prompts per series", wholeNumber, 200)
    .option(
      "--sessions <numbers>",
      "Comma-separated numbers of concurrent sessions",
      numbers,
      SESSIONS,
    )
    .option("--embed", "Embed the memories of large stores instead of using random vectors")
    .option("--json [file]", `${JSON_TO}, with every timing`)
    .action((options: HookOptions) => runHook(options, context));
}

/** Adds the options of what ranks memories by each strategy. */
function ranked(command: Command): Command {
  return command
    .option("-s, --strategy <names>", "Comma-separated strategies; the first is the baseline", list)
    .option("--yes", "Allow LLM calls, at the estimated cost")
    .option("--json [file]", `${JSON_TO}, with the ranks of each query`)
    .option("--run-dir <folder>", "Write a TREC run file per strategy, and the qrels");
}

/** Parses an option as whole numbers between commas. */
export function numbers(value: string): number[] {
  const found = list(value).map(wholeNumber);
  if (found.length === 0) {
    throw new InvalidArgumentError("Expected whole numbers, separated by commas.");
  }
  return found;
}

type HookOptions = Pick<HookBenchOptions, "memories" | "runs" | "sessions" | "embed"> & {
  readonly json?: JsonOption;
};

async function runHook(options: HookOptions, { paths, env }: CliContext): Promise<void> {
  const { benchHook } = await import("../../../bench/hook.ts");
  const { INTERRUPTED } = await import("../../../bench/sandbox.ts");
  const { HOOK_JSON_DEPTH, renderHook } = await import("../../../bench/hook_report.ts");
  const { model, warnings } = loadConfig(paths.config, env);
  for (const warning of warnings) say(`warning: ${warning}`);
  const onReport = async (report: HookReport) => {
    if (report.isStopped) process.exitCode = INTERRUPTED;
    await present(report, { ...options, depth: HOOK_JSON_DEPTH, table: renderHook(report) });
  };
  await withBars((onProgress) =>
    benchHook({ ...options, model, paths, onReport, onProgress, say })
  );
}

/** Writes a file and creates its folder. */
export function writeInto(path: string, text: string): void {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  writeFileSync(path, text);
}

/** A path to write JSON to, or `true` to print it. */
export type JsonOption = string | true;

/** Prints a report as a table or as JSON; with a path it prints the table and writes the JSON there. */
export async function present(
  report: unknown,
  { json, depth, table }: {
    readonly json?: JsonOption | undefined;
    readonly depth: Parameters<typeof import("../../../bench/results_json.ts").resultsJson>[1];
    readonly table: string;
  },
): Promise<void> {
  if (json !== true) out(table);
  if (json === undefined) return;
  const { resultsJson } = await import("../../../bench/results_json.ts");
  const text = resultsJson(report, depth);
  if (json === true) out(text);
  else writeInto(json, text);
}
