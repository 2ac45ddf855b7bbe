import { join, resolve } from "node:path";
import { MemoError } from "../../errors.ts";
import { openLog } from "../../files/log.ts";
import type { CliContext } from "../command.ts";
import { type JsonOption, present, withBars } from "./shared.ts";

export interface RetentionOptions {
  readonly suite?: string;
  readonly replies?: string;
  readonly questions?: string;
  readonly preset?: readonly string[];
  readonly json?: JsonOption;
}

/** `memo bench retention`: measures from conversations to later prompts. */
export async function runRetention(options: RetentionOptions, context: CliContext): Promise<void> {
  const { cwd, paths } = context;
  const { benchRetention } = await import("../../../bench/retention/bench.ts");
  const { PRESETS } = await import("../../settings/presets.ts");
  const { renderRetention, RETENTION_JSON_DEPTH } = await import(
    "../../../bench/retention/report.ts"
  );
  const { readRetentionSuite } = await import("../../../bench/retention/suite.ts");
  const { describeMachine } = await import("../../../bench/machine.ts");
  const { suitesFolder } = await import("../../native/mod.ts");

  const folder = options.suite === undefined
    ? join(suitesFolder(paths), "retention")
    : resolve(cwd, options.suite);
  const presets = PRESETS.map(({ name }) => name as string)
    .filter((name) => options.preset?.includes(name) ?? true);
  if (presets.length === 0) {
    throw new MemoError("usage", `Unknown preset \`${options.preset?.join(",")}\``, {
      hint: `Presets: ${PRESETS.map(({ name }) => name).join(", ")}`,
    });
  }
  const suite = readRetentionSuite(folder);
  const run = await withBars((onProgress) =>
    benchRetention(suite, {
      replies: resolve(cwd, options.replies ?? join(folder, "replies.jsonl")),
      questions: options.questions === undefined ? undefined : resolve(cwd, options.questions),
      presets,
      log: openLog(paths.logs),
      onProgress,
    })
  );
  const report = { machine: describeMachine(), ...run };
  const table = renderRetention(report);
  await present(report, { ...options, depth: RETENTION_JSON_DEPTH, table });
  if (run.open.length > 0) process.exitCode = 1;
}
