import { join, resolve } from "node:path";
import { describeMachine } from "../../bench/machine.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import { withBars } from "../../src/surfaces/cli/shared/progress.ts";
import type { CliContext } from "../../src/surfaces/cli/shared/command.ts";
import { openLog } from "../../src/core/files/log.ts";
import { PRESETS } from "../../src/core/settings/table.ts";
import { SUITES } from "./executable.ts";
import { benchRetention } from "./retention/bench.ts";
import { renderRetention, RETENTION_JSON_DEPTH } from "./retention/report.ts";
import { readRetentionSuite } from "./retention/suite.ts";

export interface RetentionOptions {
  readonly suite?: string;
  readonly replies?: string;
  readonly questions?: string;
  readonly preset?: readonly string[];
  readonly json?: JsonOption;
}

/** Measures from conversations to memories to later prompts. */
export async function runRetention(
  { suite: folder = join(SUITES, "retention"), replies, questions, preset, json }: RetentionOptions,
  { paths }: CliContext,
): Promise<void> {
  const presets = PRESETS.map(({ name }) => name as string)
    .filter((name) => preset?.includes(name) ?? true);
  if (presets.length === 0) {
    throw new Error(
      `Unknown preset; expected one of ${PRESETS.map(({ name }) => name).join(", ")}`,
    );
  }
  const run = await withBars((onProgress) =>
    benchRetention(readRetentionSuite(folder), {
      replies: resolve(replies ?? join(folder, "replies.jsonl")),
      questions: questions === undefined ? undefined : resolve(questions),
      presets,
      log: openLog(paths.logs),
      onProgress,
    })
  );
  const report = { machine: describeMachine(), ...run };
  await present(report, { json, depth: RETENTION_JSON_DEPTH, table: renderRetention(report) });
  if (run.open.length > 0) process.exitCode = 1;
}
