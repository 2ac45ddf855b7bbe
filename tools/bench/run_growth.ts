import { join, resolve } from "node:path";
import { describeMachine } from "../../bench/machine.ts";
import { SUITES } from "./executable.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import { withBars } from "../../src/surfaces/cli/shared/progress.ts";
import type { CliContext } from "../../src/surfaces/cli/shared/command.ts";
import { openLog } from "../../src/core/files/log.ts";
import { benchGrowth, type Suite } from "./growth/bench.ts";
import { capturedNotes, readTypedSuite } from "./growth/notes.ts";
import { Judge } from "./growth/judged.ts";
import { GROWTH_JSON_DEPTH, renderGrowth } from "./growth/report.ts";
import { readRetentionSuite } from "./retention/suite.ts";

export interface GrowthExperiment {
  readonly suite?: readonly string[];
  readonly notes?: readonly number[];
  /** Values of `recall.start_chars`. */
  readonly startChars: readonly number[];
  /** Where questions about what was given are written that nobody has judged. */
  readonly questions?: string;
  readonly json?: JsonOption;
}

/** The triggers of the suite `typed`, and the verdicts on what its prompts were given. */
const TRIGGERS = join(SUITES, "typed", "triggers.jsonl"),
  JUDGED = join(SUITES, "typed", "judged.jsonl");

/** Memories in a project, for each suite: only typed ones, with an import, and a store of years. */
const SIZES: Readonly<Record<Suite, readonly number[]>> = {
  typed: [60, 200, 1000],
  retention: [50, 150, 300, 1000],
};

/** Measures what prompts have in context while the store of their project grows. */
export async function runGrowth(
  { suite, notes, startChars, questions, json }: GrowthExperiment,
  { paths }: CliContext,
): Promise<void> {
  const sizesOf = (name: Suite) => suite?.includes(name) ?? true ? notes ?? SIZES[name] : [];
  const judge = new Judge(JUDGED);
  const options = {
    typed: readTypedSuite(join(SUITES, "typed")),
    retention: readRetentionSuite(join(SUITES, "retention")),
    captured: capturedNotes(join(SUITES, "coding-agent")),
    replies: join(SUITES, "retention", "replies.jsonl"),
    triggers: TRIGGERS,
    judge,
    startChars,
    vectors: paths.bench,
    sizes: { typed: sizesOf("typed"), retention: sizesOf("retention") },
    log: openLog(paths.logs),
  };
  const rows = await withBars((onProgress) => benchGrowth({ ...options, onProgress }));
  const report = { machine: describeMachine(), rows };
  await present(report, { json, depth: GROWTH_JSON_DEPTH, table: renderGrowth(report) });
  if (questions !== undefined) {
    console.error(`${judge.writeOpen(resolve(questions))} texts without a verdict`);
  }
}
