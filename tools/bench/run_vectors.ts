import { sayMs } from "../../bench/latency.ts";
import { sayMachine } from "../../bench/machine.ts";
import { type JsonOption, present, withBars } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { columns } from "../../src/text/columns.ts";
import { benchVectors, type VectorsReport, WAYS } from "./vectors.ts";

export interface VectorsOptions {
  readonly passages: readonly number[];
  readonly json?: JsonOption;
}

/** Compares the ways to search vectors. */
export async function runVectors(options: VectorsOptions, { paths }: CliContext): Promise<void> {
  const report = await withBars((onProgress) => benchVectors({ ...options, paths, onProgress }));
  await present(report, { ...options, depth: { sizes: 2 }, table: render(report) });
}

function render({ machine, sizes }: VectorsReport): string {
  const rows = sizes.flatMap(({ passages, ways }) =>
    ways.map(({ way, search, entry, recall, bytes }) => [
      String(passages),
      WAYS[way],
      search.p50.toFixed(2),
      search.p95.toFixed(2),
      recall.toFixed(3),
      sayMs(entry),
      (bytes / 1e6).toFixed(1),
    ])
  );
  const heads = ["passages", "search", "p50 ms", "p95 ms", "of the 10 nearest", "ms to enter one"];
  return `${sayMachine(machine)}\n\n${columns([[...heads, "MB"], ...rows])}`;
}
