import type { HookReport } from "../../../../bench/hook.ts";
import { loadConfig } from "../../../core/settings/config.ts";
import type { CliContext } from "../shared/command.ts";
import { say } from "../shared/output.ts";
import { type JsonOption, present } from "./shared.ts";
import { withBars } from "../shared/progress.ts";

export interface HookOptions {
  readonly memories: readonly number[];
  readonly runs: number;
  readonly sessions: readonly number[];
  readonly embed?: boolean;
  readonly json?: JsonOption;
}

/** `memo bench hook`: measures the hook process. */
export async function runHook(options: HookOptions, { paths, env }: CliContext): Promise<void> {
  const { benchHook } = await import("../../../../bench/hook.ts");
  const { INTERRUPTED } = await import("../../../../bench/sandbox.ts");
  const { HOOK_JSON_DEPTH, renderHook } = await import("../../../../bench/hook_report.ts");
  const { model, warnings } = loadConfig(paths.config, env);
  for (const warning of warnings) say(`warning: ${warning}`);
  const onReport = async (report: HookReport) => {
    if (report.isStopped) process.exitCode = INTERRUPTED;
    await present(report, { ...options, depth: HOOK_JSON_DEPTH, table: renderHook(report) });
  };
  await withBars((onProgress) =>
    benchHook({ ...options, model, paths, onReport, onProgress, say })
  );
}
