import { type JsonOption, present, withBars } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { benchVectors } from "./vectors.ts";
import { renderVectors } from "./vectors_table.ts";

export interface VectorsOptions {
  readonly passages: readonly number[];
  readonly build: number;
  readonly json?: JsonOption;
}

/** Compares exact vector search with the database's own index. */
export async function runVectors(options: VectorsOptions, { paths }: CliContext): Promise<void> {
  const report = await withBars((onProgress) => benchVectors({ ...options, paths, onProgress }));
  await present(report, { ...options, depth: { sizes: 2 }, table: renderVectors(report) });
}
