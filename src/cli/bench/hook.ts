import { loadConfig } from "../../settings/config.ts";
import type { CliContext } from "../command.ts";
import { say } from "../output.ts";
import { type JsonOption, present, withBars, writeInto } from "./shared.ts";

export interface HookOptions {
  readonly memories: readonly number[];
  readonly runs: number;
  readonly sessions: readonly number[];
  readonly embed?: boolean;
  readonly json?: JsonOption;
  readonly html?: string;
  readonly commit?: string;
}

/** `memo bench hook`: measures the hook process. */
export async function runHook(options: HookOptions, { paths, env }: CliContext): Promise<void> {
  const { benchHook } = await import("../../../bench/hook.ts");
  const { HOOK_JSON_DEPTH, renderHook } = await import("../../../bench/hook_report.ts");
  const { model, warnings } = loadConfig(paths.config, env);
  for (const warning of warnings) say(`warning: ${warning}`);
  const report = await withBars((onProgress) =>
    benchHook({ ...options, model, paths, onProgress, say })
  );
  await present(report, { ...options, depth: HOOK_JSON_DEPTH, table: renderHook(report) });
  if (options.html !== undefined) {
    const { page } = await import("../../../bench/html/page.ts");
    writeInto(options.html, page({ recall: [], hook: report }));
  }
}
