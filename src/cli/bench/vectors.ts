import type { CliContext } from "../command.ts";
import { type JsonOption, present, withBars } from "./shared.ts";

export interface VectorsOptions {
  readonly passages: readonly number[];
  readonly ann: number;
  readonly json?: JsonOption;
}

/** `memo bench vectors`: compares exact vector search with an ANN index. */
export async function runVectors(options: VectorsOptions, { paths }: CliContext): Promise<void> {
  const { benchVectors } = await import("../../../bench/vectors.ts");
  const { renderVectors } = await import("../../../bench/vectors_table.ts");
  const report = await withBars((onProgress) => benchVectors({ ...options, paths, onProgress }));
  await present(report, { ...options, depth: { sizes: 2 }, table: renderVectors(report) });
}
