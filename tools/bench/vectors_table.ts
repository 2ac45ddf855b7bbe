import { columns } from "../../src/text/columns.ts";
import { paint } from "../../src/text/paint.ts";
import { sayMs } from "../../bench/latency.ts";
import { sayMachine } from "../../bench/machine.ts";
import { type VectorsReport, WAYS } from "./vectors.ts";

/** Headings of the table of ways to search. */
const VECTORS_HEADS = [
  "passages",
  "search",
  "p50 ms",
  "p95 ms",
  "of the 10 nearest",
  "ms to enter one",
  "MB",
] as const;

/** The rows below them. */
function vectorRows({ sizes }: VectorsReport): string[][] {
  return sizes.flatMap(({ passages, ways }) =>
    ways.map(({ way, stoppedAt, search, entry, recall, bytes }) => [
      String(passages),
      WAYS[way] + (stoppedAt === undefined ? "" : `, stopped after ${stoppedAt}`),
      search?.p50.toFixed(2) ?? "–",
      search?.p95.toFixed(2) ?? "–",
      recall?.toFixed(3) ?? "–",
      entry < 0.1 ? "< 0.1" : sayMs(entry),
      (bytes / 1e6).toFixed(1),
    ])
  );
}

/** The report for a terminal. */
export function renderVectors(report: VectorsReport): string {
  return `${paint("dim", sayMachine(report.machine))}\n\n` +
    columns([[...VECTORS_HEADS], ...vectorRows(report)]);
}
