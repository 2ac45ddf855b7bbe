import type { Command } from "commander";
import {
  type Config,
  describeSource,
  sourceOf,
  typeSettings,
} from "../../../core/settings/config.ts";
import { type TypePolicy, TYPES } from "../../../core/memory/types.ts";
import type { CliContext } from "../shared/command.ts";
import { configHere } from "../config.ts";
import { columns, out, outJson, paint, say } from "../shared/output.ts";

/** `memo config types`: lists the policy of each type, with the settings applied. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--json", "Print JSON")
    .action((options: { json?: boolean }) => {
      const config = configHere(context);
      for (const warning of config.warnings) say(`warning: ${warning}`);
      const known: string[] = TYPES.map(({ name }) => name);
      const set = Object.keys(config.perType).map((key) => key.slice(key.indexOf(".") + 1));
      const rows = [...new Set([...known.slice(0, -1), ...set, "*"])]
        .map((name) => ({ ...typeSettings(config, name), name, from: sourcesOf(name, config) }));
      if (options.json) outJson(rows);
      else out(columns([HEADINGS.map((heading) => paint("bold", heading)), ...rows.map(row)]));
    });
}

const HEADINGS = ["type", "strategy", "threshold", "set by", "lifespan", "briefing", "keeps"];

/** The source of a type's strategy and threshold. */
function sourcesOf(type: string, config: Config) {
  const from = (field: string) => describeSource(sourceOf(config, `${field}.${type}`));
  return { strategy: from("strategy"), threshold: from("threshold") };
}

type Row = TypePolicy & { readonly from: ReturnType<typeof sourcesOf> };

function row({ name, strategy, threshold, from, lifespanDays, briefingLines, keeps }: Row) {
  return [
    name,
    strategy,
    String(threshold),
    [...new Set([from.strategy, from.threshold])].join(", "),
    lifespanDays === null ? "permanent" : `${lifespanDays} days`,
    briefingLines === null ? "–" : `${briefingLines} lines`,
    keeps,
  ];
}
