import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer } from "../../../../bench/answer.ts";
import type { LeftOut, RecallBenchOptions, RecallRun } from "../../../../bench/recall.ts";
import type { Suite } from "../../../../bench/suite.ts";
import { MemoError } from "../../../errors.ts";
import { readMemories } from "../../../core/memory/list.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import type { CliContext } from "../shared/command.ts";
import { configHere } from "../config.ts";
import { say } from "../shared/output.ts";
import { modelAccess } from "./model.ts";
import { openCachedEmbedder, type RecallOptions, writeReport } from "./recall.ts";
import { withBars } from "../shared/progress.ts";

/** `memo bench`: measures strategies on the user's own memories, without writing to them. */
export async function runMine(options: RecallOptions, context: CliContext): Promise<void> {
  const { foldOf, HELD_OUT, joined } = await import("../../../../bench/mine.ts");
  const { renderMine, skippedIn } = await import("../../../../bench/mine_report.ts");
  const { recommend } = await import("../../../../bench/recommend.ts");
  const { contendersFor, AS_SET } = await import("../../../../bench/contenders.ts");
  const { reportOf } = await import("../../../../bench/recall_report.ts");
  const { describeMachine } = await import("../../../../bench/machine.ts");

  const { place } = context;
  const memories = memoryFolders(place)
    .flatMap((folder) => readMemories(folder).memories);
  if (memories.length === 0) {
    throw new MemoError("not-found", "Cannot measure: there are no memories here", {
      hint: 'Run `memo add "Use pnpm, never npm"` first',
    });
  }
  const config = configHere(context);
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const folds = HELD_OUT.map((heldOut) => foldOf(memories, heldOut))
    .filter(({ suite }) => suite.queries.length > 0);
  const suite = joined(folds);
  const contenders = contendersFor(options.strategy, config);
  const model = await modelAccess(options, { config, context });
  const scratch = mkdtempSync(join(tmpdir(), "memo-bench-"));
  const embedder = await openCachedEmbedder(config.model, scratch, context);
  try {
    const run = await withBars((onProgress) =>
      benchFolds(folds.map((fold) => fold.suite), {
        contenders,
        embedder,
        config,
        model,
        onProgress,
      })
    );
    const report = {
      ...reportOf(suite, run, {
        machine: describeMachine(),
        suite: "your memories",
        kind: "mine",
        model: embedder.id,
      }),
      memories: memories.length,
      skipped: skippedIn(folds),
      recommendations: recommend(suite, run.answers, {
        config,
        strategies: [...run.answers.keys()].filter((name) => name !== AS_SET),
      }),
    };
    await writeReport(report, { suite, run, options, table: renderMine(report) });
  } finally {
    await embedder.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs suites one after the other and joins them into one run of the strategies that took part in all. */
async function benchFolds(
  suites: readonly Suite[],
  options: RecallBenchOptions,
): Promise<RecallRun> {
  const { benchRecall } = await import("../../../../bench/recall.ts");
  const answers = new Map<string, Answer[]>();
  const leftOut = new Map<string, LeftOut>();
  for (const suite of suites) {
    const run = await benchRecall(suite, options);
    for (const [name, given] of run.answers) {
      answers.set(name, [...answers.get(name) ?? [], ...given]);
    }
    for (const each of run.leftOut) leftOut.set(each.strategy, each);
  }
  for (const name of leftOut.keys()) answers.delete(name);
  return { answers, leftOut: [...leftOut.values()] };
}
