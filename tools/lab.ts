// The laboratory: experiments that decide how memo is built, and that no user needs. It runs from the sources.
//
//   deno task lab retention                from conversations to memories to later prompts
//   deno task lab week                     a week of prompts to notes as they were typed, with a session's start
//   deno task lab growth                   the same in stores of 50 to 1,000 notes, typed and imported
//   deno task lab memorycode --suite DIR   what is left of rules that are given and changed over many sessions
//   deno task lab current --suite DIR      which of a note and what overtook it the hook gives first
//   deno task lab tasks --suite DIR        how many bugs an agent fixes whose rule an old session decided
//   deno task lab large                    how long commands take in stores of 1,000 to 100,000 notes
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
const program = new Command("lab").description("Experiments of the bench");

program.command("retention")
  .description("Measure from conversations to memories to later prompts, with recorded replies")
  .option("--suite <folder>", "Folder of a suite (default: memo's own)")
  .option("--preset <names>", "Comma-separated ways of recall", list)
  .option("--replies <file>", "Recorded LLM replies (default: `replies.jsonl` of the suite)")
  .option("--questions <folder>", "Write each question without a recorded reply to this folder")
  .option("--json [file]", JSON_HELP)
  .action((options: RetentionOptions) => runRetention(options, CONTEXT));

program.command("week")
  .description("Measure what a week of prompts gets of typed notes, after the start of a session")
  .option("--suite <folder>", "Folder of a suite (default: memo's own)")
  .option("--arm <names>", "Comma-separated: nothing sent, local, balanced (default: all)", list)
  .option("--questions <folder>", "Write each question without a recorded reply to this folder")
  .option("--misses", "Name each needed note that did not come, and each that came unneeded")
  .option("--json [file]", JSON_HELP)
  .action((options: WeekRun) => runWeek(options, CONTEXT));

program.command("growth")
  .description("Measure what prompts have in context while a project's store grows")
  .option("--suite <names>", "Comma-separated: typed, retention (default: both)", list)
  .option("--notes <numbers>", "Comma-separated store sizes", numbers)
  .option("--start-chars <numbers>", "Values of `recall.start_chars`", numbers, [9500])
  .option("--questions <folder>", "Write there which texts nobody has judged yet")
  .option("--json [file]", JSON_HELP)
  .action((options: GrowthExperiment) => runGrowth(options, CONTEXT));

program.command("large")
  .description("Time commands in stores with made-up vectors, by `dist/memo`")
  .option("--notes <numbers>", "Comma-separated store sizes", numbers, [1000, 10_000, 100_000])
  .option("--runs <number>", "Runs of each command, of which the median counts", wholeNumber, 3)
  .option("--only <commands>", "Comma-separated commands (default: all)", list)
  .option("--home <folder>", "Keep the stores in this folder, and use those that are there")
  .option("--memo <executable>", "Time this executable instead")
  .option("--json [file]", JSON_HELP)
  .action((options: LargeRun) => runLarge(options, CONTEXT));

program.command("bill")
  .description("Measure what memo adds to a session of the real Claude Code, by `dist/memo`")
  .option("--prompts <number>", "Prompts of the session", wholeNumber, 30)
  .option("--json [file]", JSON_HELP)
  .action((options: BillRun) => runBill(options));

program.command("team")
  .description("Measure a team on a libSQL server while its past grows, by `dist/memo`")
  .option("--notes <number>", "Approved notes", wholeNumber, 20_000)
  .option("--members <number>", "Members", wholeNumber, 50)
  .option("--days <numbers>", "Comma-separated days of its past", numbers, [1, 50, 250])
  .option("--json [file]", JSON_HELP)
  .action((options: TeamRun) => runTeam(options));

program.command("year")
  .description(
    "Live a year of one person by `dist/memo`, and measure what is left at each month's end",
  )
  .option("--days <number>", "Working days of the year, fewer for a quick look", wholeNumber, 250)
  .option("--prompts <number>", "Prompts a day", wholeNumber, 40)
  .option("--captures <number>", "Facts stated a day", wholeNumber, 30)
  .option("--words", "Go by words alone: vectors take most of the time")
  .option("--json [file]", JSON_HELP)
  .action((options: YearRun) => runYear(options));

program.command("current")
  .description("Measure whether `memo hook` gives the later of two notes first, on dated notes")
  .requiredOption("--suite <folder>", "Folder of a suite with overtaken documents")
  .action((options: CurrentOptions) => runCurrent(options));

program.command("memorycode")
  .description(
    "Measure which of MemoryCode's rules a new session begins with, with recorded replies",
  )
  .requiredOption("--suite <folder>", "Folder with dialogue_N.json of for-ai/MemoryCode")
  .option("--replies <file>", "Recorded LLM replies (default: bench/recorded/memorycode.jsonl)")
  .option("--questions <folder>", "Write each question without a recorded reply to this folder")
  .option("--start-chars <numbers>", "Values of `recall.start_chars`", numbers, [4000, 9500])
  .option("--json [file]", JSON_HELP)
  .action((options: MemoryCodeRun) => runMemoryCode(options, CONTEXT));

program.command("tasks")
  .description("Measure how many bugs an agent fixes at once whose rule an old session decided")
  .option("--suite <folder>", "Folder of sde-bench (default: memo's own few tasks)")
  .option("--arm <names>", "Comma-separated arms of the comparison", list)
  .option("--replies <file>", "Recorded LLM replies (default: `replies.jsonl` of memo's own tasks)")
  .option("--questions <folder>", "Write each question without a recorded reply to this folder")
  .option("--patches <file>", "Recorded patches (default: `patches.jsonl` of memo's own tasks)")
  .option("--work <folder>", "Lay out each context without a recorded patch for coding agents")
  .option("--samples <number>", "Folders for each context", wholeNumber, 3)
  .option("--json [file]", JSON_HELP)
  .action((options: TasksExperiment) => runTasks(options, CONTEXT));

await program.parseAsync([...process.argv.slice(2)], { from: "user" });
