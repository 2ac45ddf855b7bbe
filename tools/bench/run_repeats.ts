import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describeMachine, type Machine } from "../../bench/machine.ts";
import { type JsonOption, present } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { openLog } from "../../src/files/log.ts";
import { columns } from "../../src/text/columns.ts";
import { benchRepeats, readNewer, type RepeatsOptions, type RepeatsRun } from "./repeats/bench.ts";
import { readRetentionSuite } from "./retention/suite.ts";

export interface RepeatsArguments {
  readonly replies?: string;
  readonly questions?: string;
  readonly json?: JsonOption;
}

const SUITES = fileURLToPath(new URL("../../bench/suites", import.meta.url));
/** The newer conversations, and the replies to the questions about them. */
export const REPEATS: string = join(SUITES, "repeats");
/** The older ones. */
const RETENTION = join(SUITES, "retention");

/** Measures which planted repeats `memo prove` finds. */
export async function runRepeats(
  { replies, questions, json }: RepeatsArguments,
  { paths }: CliContext,
): Promise<void> {
  const run = await repeatsRun({ replies, questions, log: openLog(paths.logs) });
  const report = { machine: describeMachine(), ...run };
  await present(report, { json, depth: 2, table: render(report) });
  if (run.open.length > 0) process.exitCode = 1;
}

/** The same as a value. */
export function repeatsRun(
  { replies, questions, log }: Omit<RepeatsArguments, "json"> & Pick<RepeatsOptions, "log">,
): Promise<RepeatsRun> {
  const own = replies ?? join(REPEATS, "replies.jsonl");
  return benchRepeats({
    older: readRetentionSuite(RETENTION).conversations,
    newer: readNewer(join(REPEATS, "conversations")),
    replies: [join(RETENTION, "replies.jsonl"), resolve(own)],
    questions: questions === undefined ? undefined : resolve(questions),
    log,
  });
}

function render(run: RepeatsRun & { readonly machine: Machine }): string {
  const { prompts, planted, found, right, precision, share, before, withIt, open } = run;
  if (open.length > 0) return `${open.length} questions are open\n`;
  return [
    columns(run.rows.map(({ verdict, conversation, memory = "", stood = "", prompt }) => [
      ...[verdict, conversation, memory.slice(0, 50), stood],
      prompt.slice(0, 60),
    ])),
    `${planted} repeats planted in ${prompts} prompts; ${found} found, ${right} of them right:`,
    `precision ${precision.toFixed(2)}, found ${share.toFixed(2)}; ${before} would have stood in ` +
    `context before the prompt, ${withIt} with it`,
  ].join("\n") + "\n";
}
