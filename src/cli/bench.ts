import { type Command, InvalidArgumentError, Option } from "commander";
import { type HookOptions, runHook } from "./bench/hook.ts";
import { type MineOptions, runMine } from "./bench/mine.ts";
import { type RecallOptions, runRecall } from "./bench/recall.ts";
import { type RetentionOptions, runRetention } from "./bench/retention.ts";
import { runSizes, type SizesOptions } from "./bench/sizes.ts";
import { runVectors, type VectorsOptions } from "./bench/vectors.ts";
import type { CliContext } from "./command.ts";
import { wholeNumber } from "./options.ts";

/** `memo bench`: measures retrieval quality and hook latency. */
export function define(command: Command, context: CliContext): void {
  command.command("recall", { isDefault: true })
    .description("Measure retrieval quality of each strategy on a suite")
    .option(
      "--suite <path>",
      "Folder, file, or name of a built-in suite (default: `coding-agent`)",
    )
    .addOption(
      new Option("--mine", "Measure on your own memories and recommend strategies")
        .conflicts("suite"),
    )
    .option(
      "-s, --strategy <names>",
      "Comma-separated strategies; the first is the baseline",
      list,
    )
    .addOption(
      new Option("--split <split>", "Only queries of this split").choices(["dev", "test", "all"])
        .default("all"),
    )
    .option("--category <category>", "Only queries of this category")
    .option("--limit <number>", "Maximum number of queries", wholeNumber)
    .option("--yes", "Allow LLM calls, at the cost estimated beforehand")
    .addOption(
      new Option("--record <file>", "Record LLM replies in a file")
        .conflicts("replay"),
    )
    .option("--replay <file>", "Replay LLM replies from a file")
    .option(
      "--questions <folder>",
      "Write the questions that have no recorded reply to a folder, and measure nothing",
    )
    .addOption(
      new Option("--triggers <which>", "Triggers of the memories: the suite's, none, or by an LLM")
        .choices(["own", "none", "enriched"]).default("own"),
    )
    .option(
      "--json [file]",
      "Print all results as JSON, or write them to a file, with the ranks of each query",
    )
    .option("--run-dir <folder>", "Write a TREC run file per strategy, and the qrels")
    .action((options: RecallOptions & MineOptions & { readonly mine?: boolean }) =>
      options.mine ? runMine(options, context) : runRecall(options, context)
    );

  command.command("hook")
    .description("Measure the latency of the hook process in a temporary home")
    .option("--memories <numbers>", "Comma-separated store sizes", numbers, [1000])
    .option("--runs <number>", "Prompts per series", wholeNumber, 200)
    .option("--sessions <numbers>", "Comma-separated numbers of concurrent sessions", numbers, [
      1,
      2,
      4,
      8,
      16,
    ])
    .option("--embed", "Embed the memories of large stores instead of using random vectors")
    .option(
      "--json [file]",
      "Print all results as JSON, or write them to a file, with every single time",
    )
    .action((options: HookOptions) => runHook(options, context));

  command.command("retention")
    .description(
      "Measure from conversations to memories to later prompts, with recorded LLM replies",
    )
    .option("--suite <folder>", "Folder of a suite (default: the built-in one)")
    .option("--preset <names>", "Comma-separated ways of recall", list)
    .option("--replies <file>", "Recorded LLM replies (default: `replies.jsonl` of the suite)")
    .option("--questions <folder>", "Write each question without a recorded reply to this folder")
    .option("--json [file]", "Print all results as JSON, or write them to a file")
    .action((options: RetentionOptions) => runRetention(options, context));

  command.command("sizes")
    .description("Measure stores of several sizes: what prompts with and without an answer get")
    .option(
      "--suite <path>",
      "Folder, file, or name of a built-in suite (default: `coding-agent`)",
    )
    .option("--memories <numbers>", "Comma-separated store sizes", numbers, [30, 100, 300, 1000])
    .option("--parts <number>", "Random parts of the suite per size", wholeNumber, 4)
    .option("-s, --strategy <names>", "Comma-separated strategies", list)
    .option("--json [file]", "Print all results as JSON, or write them to a file")
    .action((options: SizesOptions) => runSizes(options, context));

  command.command("vectors")
    .description("Compare exact vector search with libSQL's scan and its ANN index")
    .option("--passages <numbers>", "Comma-separated numbers of passages", numbers, [1000, 10_000])
    .option("--ann <number>", "Maximum size for the ANN index", wholeNumber, 10_000)
    .option("--json [file]", "Print all results as JSON, or write them to a file")
    .action((options: VectorsOptions) => runVectors(options, context));
}

function list(value: string): string[] {
  return value.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function numbers(value: string): number[] {
  const found = list(value).map(wholeNumber);
  if (found.length === 0) {
    throw new InvalidArgumentError("Expected whole numbers, separated by commas.");
  }
  return found;
}
