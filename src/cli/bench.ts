import { type Command, InvalidArgumentError, Option } from "commander";
import { type HookOptions, runHook } from "./bench/hook.ts";
import { type MineOptions, runMine } from "./bench/mine.ts";
import { type RecallOptions, runRecall } from "./bench/recall.ts";
import { runVectors, type VectorsOptions } from "./bench/vectors.ts";
import type { CliContext } from "./command.ts";
import { wholeNumber } from "./options.ts";

/** `memo bench`: which strategy finds what, and how fast the hook is. */
export function define(command: Command, context: CliContext): void {
  command.command("recall", { isDefault: true })
    .description("Measure how well each strategy finds what a suite's prompts need")
    .option(
      "--suite <path>",
      "Suite to measure on: a folder or a file, or one of memo's own by name",
    )
    .addOption(
      new Option("--mine", "Measure on your own memories, and say which strategies suit them")
        .conflicts("suite"),
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
    .option("--yes", "Ask the language model of your settings, which costs what is said beforehand")
    .addOption(
      new Option("--record <file>", "Keep the language model's replies, to be used again")
        .conflicts("replay"),
    )
    .option("--replay <file>", "Take the language model's replies from a file")
    .option("--json <file>", "Write everything as JSON, with the ranks of each query")
    .option("--html <file>", "Write a page with plots")
    .option("--run-dir <folder>", "Write a TREC run file for each strategy, and the judgements")
    .option("--commit <id>", "Commit that memo was built from, for the record")
    .action((options: RecallOptions & MineOptions & { readonly mine?: boolean }) =>
      options.mine ? runMine(options, context) : runRecall(options, context)
    );

  command.command("hook")
    .description("Measure the hook as a process, in a temporary home of its own")
    .option("--memories <numbers>", "Sizes of the store, by commas", numbers, [1000])
    .option("--runs <number>", "Prompts in each series", wholeNumber, 200)
    .option("--sessions <numbers>", "Sessions at once, by commas", numbers, [1, 2, 4, 8, 16])
    .option("--embed", "Embed the memories of large stores too, instead of making vectors up")
    .option("--json <file>", "Write everything as JSON, with each single time")
    .option("--html <file>", "Write a page with plots")
    .option("--commit <id>", "Commit that memo was built from, for the record")
    .action((options: HookOptions) => runHook(options, context));

  command.command("vectors")
    .description("Compare exact search with libSQL's own, and with its approximate index")
    .option("--passages <numbers>", "Passages in the index, by commas", numbers, [1000, 10_000])
    .option("--ann <number>", "Build the approximate index up to this size", wholeNumber, 10_000)
    .option("--json <file>", "Write everything as JSON")
    .option("--commit <id>", "Commit that memo was built from, for the record")
    .action((options: VectorsOptions) => runVectors(options, context));
}

function list(value: string): string[] {
  return value.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function numbers(value: string): number[] {
  const found = list(value).map(wholeNumber);
  if (found.length === 0) throw new InvalidArgumentError("It takes whole numbers, by commas.");
  return found;
}
