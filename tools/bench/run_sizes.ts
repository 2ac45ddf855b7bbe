import { contendersFor } from "../../bench/contenders.ts";
import { openSuite } from "../../bench/loaders/mod.ts";
import { describeMachine } from "../../bench/machine.ts";
import { openCachedEmbedder, suitePath } from "../../src/cli/bench/recall.ts";
import { type JsonOption, present, withBars } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { loadConfig } from "../../src/settings/config.ts";
import { benchSizes, SIZES_JSON_DEPTH } from "./sizes.ts";
import { renderSizes } from "./sizes_table.ts";

export interface SizesOptions {
  readonly suite?: string;
  readonly memories: readonly number[];
  readonly parts: number;
  readonly strategy?: readonly string[];
  readonly json?: JsonOption;
}

/** Strategies that answer at once. */
const LOCAL = ["hybrid", "keyword"];

/** Measures what stores of several sizes give for prompts with and without an answer. */
export async function runSizes(options: SizesOptions, context: CliContext): Promise<void> {
  const { name, suite } = openSuite(await suitePath(options.suite, context));
  const config = loadConfig(context.paths.config, context.env);
  const contenders = contendersFor(options.strategy ?? LOCAL, config);
  const embedder = await openCachedEmbedder(config.model, context.paths.bench, context);
  try {
    const rows = await withBars((onProgress) =>
      benchSizes(suite, { ...options, contenders, embedder, config, onProgress })
    );
    const report = { machine: describeMachine(), suite: name, model: embedder.id, rows };
    await present(report, { ...options, depth: SIZES_JSON_DEPTH, table: renderSizes(report) });
  } finally {
    await embedder.close();
  }
}
