import type { CliContext } from "../command.ts";
import { out } from "../output.ts";
import { withBars, writeInto } from "./shared.ts";

export interface VectorsOptions {
  readonly passages: readonly number[];
  readonly ann: number;
  readonly json?: string;
  readonly commit?: string;
}

/** `memo bench vectors`: compares exact vector search with an ANN index. */
export async function runVectors(options: VectorsOptions, { paths }: CliContext): Promise<void> {
  const { benchVectors } = await import("../../../bench/vectors.ts");
  const { renderVectors } = await import("../../../bench/vectors_table.ts");
  const report = await withBars((onProgress) => benchVectors({ ...options, paths, onProgress }));
  out(renderVectors(report));
  if (options.json !== undefined) {
    const { resultsJson } = await import("../../../bench/results_json.ts");
    writeInto(options.json, resultsJson(report, { sizes: 2 }));
  }
}
