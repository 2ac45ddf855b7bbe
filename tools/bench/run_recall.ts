import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { contendersFor } from "../../bench/contenders.ts";
import { openSuite } from "../../bench/loaders/mod.ts";
import { describeMachine } from "../../bench/machine.ts";
import { benchRecall, type ModelAccess, type RecallBenchOptions } from "../../bench/recall.ts";
import { reportOf } from "../../bench/recall_report.ts";
import { renderRecall } from "../../bench/recall_table.ts";
import type { Triggers } from "../../bench/store.ts";
import type { Suite } from "../../bench/suite.ts";
import { modelAccess } from "../../src/cli/bench/model.ts";
import {
  openCachedEmbedder,
  type RecallOptions,
  suitePath,
  writeReport,
} from "../../src/cli/bench/recall.ts";
import { withBars } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { say } from "../../src/cli/shared/output.ts";
import { type Config, loadConfig } from "../../src/settings/config.ts";
import { openQuestions } from "./open_questions.ts";
import { writeQuestions } from "../../bench/question_files.ts";
import { readRecording, recordingTo, replaying } from "../../bench/recording.ts";
import { select } from "./select.ts";

/** What an experiment chooses beyond what `memo bench recall` does. */
export interface RecallExperiment extends RecallOptions {
  readonly split: string;
  readonly category?: string;
  readonly limit?: number;
  readonly triggers: Triggers;
  /** File of recorded replies. */
  readonly replay?: string;
  /** File to record replies in. */
  readonly record?: string;
  /** Folder for questions without a reply. */
  readonly questions?: string;
}

/** Measures strategies on a part of a suite, with recorded replies. */
export async function runRecall(options: RecallExperiment, context: CliContext): Promise<void> {
  const { triggers, category, limit } = options;
  const { name, kind, suite } = openSuite(await suitePath(options.suite, context));
  const split = options.split === "all" ? undefined : options.split;
  const selection = { split, category, limit };
  const chosen = select(suite, selection);
  const config = loadConfig(context.paths.config, context.env);
  const contenders = contendersFor(options.strategy, config);
  const embedder = await openCachedEmbedder(config.model, context.paths.bench, context);
  try {
    if (options.questions !== undefined) {
      return await collect(chosen, { contenders, embedder, config, options });
    }
    const model = await access(options, { config, context });
    const run = await withBars((onProgress) =>
      benchRecall(chosen, { contenders, embedder, config, triggers, model, onProgress })
    );
    const machine = describeMachine();
    const facts = { machine, suite: name, kind, model: embedder.id, triggers, selection };
    const report = reportOf(chosen, run, facts);
    await writeReport(report, { suite: chosen, run, options, table: renderRecall(report) });
  } finally {
    await embedder.close();
  }
}

/** Recorded replies, or a language model whose replies are recorded. */
async function access(
  options: RecallExperiment,
  { config, context }: { readonly config: Config; readonly context: CliContext },
): Promise<ModelAccess> {
  const { replay, record } = options;
  if (replay === undefined) {
    if (record === undefined) return await modelAccess(options, { config, context });
    const respond = recordingTo.bind(undefined, resolve(record));
    return await modelAccess(options, { config, context, respond });
  }
  if (!existsSync(replay)) throw new Error(`${replay} does not exist`);
  return { respondent: replaying(readRecording(resolve(replay))), refuse: () => undefined };
}

/** Writes the questions that a language model would be asked and that have no recorded reply. */
async function collect(
  suite: Suite,
  { contenders, embedder, config, options }:
    & { readonly options: RecallExperiment }
    & Pick<RecallBenchOptions, "contenders" | "embedder" | "config">,
): Promise<void> {
  const { replay, triggers, questions = "" } = options;
  const recording = replay === undefined ? () => undefined : readRecording(resolve(replay));
  const open = await withBars((onProgress) =>
    openQuestions(suite, { contenders, embedder, config, triggers, recording, onProgress })
  );
  for (const [set, its] of Map.groupBy(open, ({ purpose }) => purpose)) {
    writeQuestions(resolve(questions), { set, questions: its });
  }
  say(`${open.length} questions without a recorded reply`);
}
