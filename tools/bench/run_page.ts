import { sayMs } from "../../bench/latency.ts";
import { sayMachine } from "../../bench/machine.ts";
import { type JsonOption, present, withBars } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { columns } from "../../src/text/columns.ts";
import { paint } from "../../src/text/paint.ts";
import { benchPage, type PageReport } from "./page.ts";

export interface PageExperiment {
  readonly memories: number;
  readonly json?: JsonOption;
}

/** Headings of the table. */
export const PAGE_HEADS = ["", "runs", "p50", "p95", "max", "p50 × `node -e 0`", "aim"] as const;

/** The rows below them. */
export function pageRows(report: PageReport): string[][] {
  const { node, paint, list, search, undo, selected, review, prompt, beside } = report;
  const all = `${report.memories.toLocaleString("en")} memories`;
  const rows = [
    ["`node -e 0`, to compare with, ms", node, ""],
    ["first byte to first contentful paint, ms", paint, ""],
    ["first byte to the first list painted, ms", list, "300 ms"],
    [`key to results of ${all}, ms`, search, "100 ms"],
    [`select ${selected}, forget, undo, s`, undo, "30 s"],
    [`key to the first answer of Review of ${all}, ms`, review, ""],
    ["prompt, warm, ms", prompt, ""],
    ["prompt while Review compares, ms", beside, ""],
  ] as const;
  return rows.map(([what, spread, aim]) => [
    ...[what, String(spread.n)],
    ...[spread.p50, spread.p95, spread.max].map((value) =>
      value < 10 ? value.toFixed(2) : sayMs(value)
    ),
    what.endsWith(", ms") && spread !== node ? (spread.p50 / node.p50).toFixed(1) : "",
    aim,
  ]);
}

/** Measures the page of `memo ui` in a browser. */
export async function runPage(options: PageExperiment, { paths }: CliContext): Promise<void> {
  const report = await withBars((onProgress) => benchPage({ ...options, paths, onProgress }));
  const { machine } = report;
  const table = `${paint("dim", sayMachine(machine))}\n\n` +
    columns([[...PAGE_HEADS], ...pageRows(report)]);
  await present(report, { ...options, depth: 1, table });
}
