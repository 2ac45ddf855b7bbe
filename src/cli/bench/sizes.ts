import { loadConfig } from "../../settings/config.ts";
import type { CliContext } from "../command.ts";
import { say } from "../output.ts";
import { openCachedEmbedder, suitePath } from "./recall.ts";
import { type JsonOption, present, withBars } from "./shared.ts";

export interface SizesOptions {
  readonly suite?: string;
  readonly memories: readonly number[];
  readonly parts: number;
  readonly strategy?: readonly string[];
  readonly json?: JsonOption;
}

/** Strategies that answer at once. */
const LOCAL = ["hybrid", "keyword"];

/** `memo bench sizes`: measures what stores of several sizes give for prompts with and without an answer. */
export async function runSizes(options: SizesOptions, context: CliContext): Promise<void> {
  const { openSuite } = await import("../../../bench/loaders/mod.ts");
  const { benchSizes, SIZES_JSON_DEPTH } = await import("../../../bench/sizes.ts");
  const { renderSizes } = await import("../../../bench/sizes_table.ts");
  const { contendersFor } = await import("../../../bench/contenders.ts");
  const { describeMachine } = await import("../../../bench/machine.ts");

  const { name, suite } = openSuite(await suitePath(options.suite, context));
  const config = loadConfig(context.paths.config, context.env);
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const contenders = contendersFor(options.strategy ?? LOCAL, config);
  const embedder = await openCachedEmbedder(config.model, context.paths.bench, context);
  try {
    const rows = await withBars((onProgress) =>
      benchSizes(suite, { ...options, contenders, embedder, config, onProgress })
    );
    const machine = describeMachine();
    const report = { machine, suite: name, model: embedder.id, rows };
    await present(report, { ...options, depth: SIZES_JSON_DEPTH, table: renderSizes(report) });
  } finally {
    await embedder.close();
  }
}
