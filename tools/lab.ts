// Experiments that decide how memo is built, and that no user needs. They run from the sources.
//
//   deno task lab retention                which facts from conversations reach later prompts
//   deno task lab week                     what a week of prompts gets from typed memories
//   deno task lab growth                   the same in stores of 50 to 1,000 memories, typed and imported
//   deno task lab memorycode --suite DIR   which rules a new session starts with after many sessions changed them
//   deno task lab current --suite DIR      whether the hook gives the later of two memories first
//   deno task lab tasks --suite DIR        how many bugs an agent fixes whose rule an old session decided
//   deno task lab large                    how long commands take in stores of 1,000 to 100,000 memories
//   deno task lab bill                     what memo adds to 30 prompts in the real Claude Code
//   deno task lab team                     what a team of fifty costs its members and its server
//   deno task lab year                     what a year of one person leaves in the state folder

import { Command } from "commander";
import { numbers } from "../src/surfaces/cli/bench.ts";
import { list, wholeNumber } from "../src/surfaces/cli/shared/options.ts";
import { CONTEXT } from "./bench/executable.ts";
import { type BillRun, runBill } from "./bench/run_bill.ts";
import { type CurrentOptions, runCurrent } from "./bench/run_current.ts";
import { type GrowthExperiment, runGrowth } from "./bench/run_growth.ts";
import { type LargeRun, runLarge } from "./bench/run_large.ts";
import { type MemoryCodeRun, runMemoryCode } from "./bench/run_memorycode.ts";
import { type RetentionOptions, runRetention } from "./bench/run_retention.ts";
import { runTasks, type TasksExperiment } from "./bench/run_tasks.ts";
import { runTeam, type TeamRun } from "./bench/run_team.ts";
import { runWeek, type WeekRun } from "./bench/run_week.ts";
import { runYear, type YearRun } from "./bench/run_year.ts";

const JSON_HELP = "Print all results as JSON, or write them to a file";
const program = new Command("lab").description("Run an experiment");

program.command("retention")
  .description("Measure which facts from conversations reach later prompts, with recorded replies")
  .option("--suite <folder>", "Suite folder (default: built in)")
  .option("--preset <names>", "Comma-separated presets", list)
  .option("--replies <file>", "Recorded LLM replies (default: the suite's `replies.jsonl`)")
  .option("--questions <folder>", "Write each question without a recorded reply to this folder")
  .option("--json [file]", JSON_HELP)
  .action((options: RetentionOptions) => runRetention(options, CONTEXT));

program.command("week")
  .description("Measure what a week of prompts gets from typed memories, each in a new session")
  .option("--suite <folder>", "Suite folder (default: built in)")
  .option("--arm <names>", "Comma-separated: nothing sent, local, balanced (default: all)", list)
  .option("--questions <folder>", "Write each question without a recorded reply to this folder")
  .option(
    "--misses",
    "List each needed memory that is missing, and each unneeded one that was added",
  )
  .option("--json [file]", JSON_HELP)
  .action((options: WeekRun) => runWeek(options, CONTEXT));

program.command("growth")
  .description("Measure what prompts have in context as a project's store grows")
  .option("--suite <names>", "Comma-separated: typed, retention (default: both)", list)
  .option("--notes <numbers>", "Comma-separated store sizes", numbers)
  .option("--start-chars <numbers>", "Values of `recall.start_chars`", numbers, [9500])
  .option("--questions <folder>", "Write texts without a verdict to this folder")
  .option("--json [file]", JSON_HELP)
  .action((options: GrowthExperiment) => runGrowth(options, CONTEXT));

program.command("large")
  .description("Time commands of `dist/memo` in stores with made-up vectors")
  .option("--notes <numbers>", "Comma-separated store sizes", numbers, [1000, 10_000, 100_000])
  .option("--runs <number>", "Runs of each command; the median counts", wholeNumber, 3)
  .option("--only <commands>", "Comma-separated commands (default: all)", list)
  .option("--home <folder>", "Keep the stores in this folder, and reuse them")
  .option("--memo <executable>", "Time this executable instead")
  .option("--json [file]", JSON_HELP)
  .action((options: LargeRun) => runLarge(options, CONTEXT));

program.command("bill")
  .description("Measure what `dist/memo` adds to a session of the real Claude Code")
  .option("--prompts <number>", "Prompts of the session", wholeNumber, 30)
  .option("--json [file]", JSON_HELP)
  .action((options: BillRun) => runBill(options));

program.command("team")
  .description("Measure a team on a libSQL server as its history grows, with `dist/memo`")
  .option("--notes <number>", "Approved memories", wholeNumber, 20_000)
  .option("--members <number>", "Members", wholeNumber, 50)
  .option("--days <numbers>", "Comma-separated days of history", numbers, [1, 50, 250])
  .option("--json [file]", JSON_HELP)
  .action((options: TeamRun) => runTeam(options));

program.command("year")
  .description(
    "Simulate a year of one person with `dist/memo`, and measure the state each month",
  )
  .option("--days <number>", "Working days (fewer for a quick look)", wholeNumber, 250)
  .option("--prompts <number>", "Prompts a day", wholeNumber, 40)
  .option("--captures <number>", "Facts stated a day", wholeNumber, 30)
  .option("--words", "Use words only: vectors take most of the time")
  .option("--json [file]", JSON_HELP)
  .action((options: YearRun) => runYear(options));

program.command("current")
  .description("Measure whether `memo hook` gives the later of two dated memories first")
  .requiredOption("--suite <folder>", "Suite folder with replaced documents")
  .action((options: CurrentOptions) => runCurrent(options));

program.command("memorycode")
  .description(
    "Measure which of MemoryCode's rules a new session starts with, with recorded replies",
  )
  .requiredOption("--suite <folder>", "Folder with the dialogue_N.json of for-ai/MemoryCode")
  .option("--replies <file>", "Recorded LLM replies (default: bench/recorded/memorycode.jsonl)")
  .option("--questions <folder>", "Write each question without a recorded reply to this folder")
  .option("--start-chars <numbers>", "Values of `recall.start_chars`", numbers, [4000, 9500])
  .option("--json [file]", JSON_HELP)
  .action((options: MemoryCodeRun) => runMemoryCode(options, CONTEXT));

program.command("tasks")
  .description(
    "Measure how many bugs an agent fixes at the first try if an old session decided the rule",
  )
  .option("--suite <folder>", "Folder of sde-bench (default: the few built-in tasks)")
  .option("--arm <names>", "Comma-separated arms (default: all)", list)
  .option("--replies <file>", "Recorded LLM replies (default: built in)")
  .option("--questions <folder>", "Write each question without a recorded reply to this folder")
  .option("--patches <file>", "Recorded patches (default: built in)")
  .option("--work <folder>", "Write each context without a recorded patch here, for coding agents")
  .option("--samples <number>", "Folders per context", wholeNumber, 3)
  .option("--json [file]", JSON_HELP)
  .action((options: TasksExperiment) => runTasks(options, CONTEXT));

await program.parseAsync([...process.argv.slice(2)], { from: "user" });
