import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSuite } from "../../bench/loaders/mod.ts";
import { openCachedEmbedder, suitePath } from "../../src/cli/bench/recall.ts";
import { type JsonOption, present } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { loadConfig } from "../../src/settings/config.ts";
import { columns } from "../../src/text/columns.ts";
import { benchSearches, type SearchRow, type Standing, standing } from "./tools.ts";

export interface ToolsOptions {
  readonly suite?: string;
  readonly limits: readonly number[];
  readonly json?: JsonOption;
}

/** Measures what memo's tools put into a conversation. */
export async function runTools(options: ToolsOptions, context: CliContext): Promise<void> {
  const { name, suite } = openSuite(await suitePath(options.suite, context));
  const config = loadConfig(context.paths.config, context.env);
  const embedder = await openCachedEmbedder(config.model, context.paths.bench, context);
  const folder = mkdtempSync(join(tmpdir(), "memo-bench-"));
  try {
    const searches = await benchSearches(suite, { ...options, embedder, folder });
    const report = { suite: name, model: embedder.id, standing: standing(), searches };
    await present(report, { ...options, depth: { searches: 1 }, table: render(report) });
  } finally {
    await embedder.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function render(
  { standing, searches }: { readonly standing: Standing; readonly searches: readonly SearchRow[] },
): string {
  const { schemas, instructions, names } = standing;
  const rows = searches.map(({ limit, inText, named, chars, unanswered }) => [
    String(limit),
    inText.toFixed(3),
    named.toFixed(3),
    `${chars.p50} / ${chars.p95}`,
    `${unanswered.p50} / ${unanswered.p95}`,
  ]);
  return [
    `In every request: ${schemas} characters of schemas, ${instructions} of instructions, ${names} of names\n`,
    columns([
      ["limit", "answer in text", "or named", "characters p50 / p95", "without an answer"],
      ...rows,
    ]),
  ].join("\n");
}
