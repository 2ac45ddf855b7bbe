import type { CliContext } from "../command.ts";
import { out, say } from "../output.ts";
import { withBars, writeInto } from "./shared.ts";

export interface HookOptions {
  readonly memories: readonly number[];
  readonly runs: number;
  readonly sessions: readonly number[];
  readonly embed?: boolean;
  readonly json?: string;
  readonly html?: string;
  readonly commit?: string;
}

/** `memo bench hook`: measures the hook process. */
export async function runHook(options: HookOptions, { paths }: CliContext): Promise<void> {
  const { benchHook } = await import("../../../bench/hook.ts");
  const { HOOK_JSON_DEPTH, renderHook } = await import("../../../bench/hook_report.ts");
  const report = await withBars((onProgress) => benchHook({ ...options, paths, onProgress, say }));
  out(renderHook(report));
  if (options.json !== undefined) {
    const { resultsJson } = await import("../../../bench/results_json.ts");
    writeInto(options.json, resultsJson(report, HOOK_JSON_DEPTH));
  }
  if (options.html !== undefined) {
    const { page } = await import("../../../bench/html/page.ts");
    writeInto(options.html, page({ recall: [], hook: report }));
  }
}
