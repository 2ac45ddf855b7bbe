import { type Command, InvalidArgumentError } from "commander";
import { type HookOptions, runHook } from "./bench/hook.ts";
import { runMine } from "./bench/mine.ts";
import { type RecallOptions, runRecall } from "./bench/recall.ts";
import type { CliContext } from "./shared/command.ts";
import { wholeNumber } from "./shared/options.ts";

/** `memo bench`: measures retrieval quality and hook latency. */
export function define(command: Command, context: CliContext): void {
  ranked(command.command("mine", { isDefault: true }))
    .description("Recommend strategies by your own memories; what `memo bench` does alone")
    .action((options: RecallOptions) => runMine(options, context));

  ranked(command.command("recall"))
    .description("Measure retrieval quality of each strategy on a suite")
    .option("--suite <path>", "Folder, file, or name of a built-in suite (default: `coding-agent`)")
    .action((options: RecallOptions) => runRecall(options, context));

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
}

/** Adds the options of what ranks memories by each strategy. */
function ranked(command: Command): Command {
  return command
    .option("-s, --strategy <names>", "Comma-separated strategies; the first is the baseline", list)
    .option("--yes", "Allow LLM calls, at the cost estimated beforehand")
    .option(
      "--json [file]",
      "Print all results as JSON, or write them to a file, with the ranks of each query",
    )
    .option("--run-dir <folder>", "Write a TREC run file per strategy, and the qrels");
}

/** Parses an option as items between commas. */
export function list(value: string): string[] {
  return value.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

/** Parses an option as whole numbers between commas. */
export function numbers(value: string): number[] {
  const found = list(value).map(wholeNumber);
  if (found.length === 0) {
    throw new InvalidArgumentError("Expected whole numbers, separated by commas.");
  }
  return found;
}
