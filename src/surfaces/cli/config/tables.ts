import type { Command } from "commander";
import { STRATEGIES } from "../../../../strategies/mod.ts";
import { TYPES } from "../../../core/memory/types.ts";
import { strategyOf } from "../../../core/recall/retrieve.ts";
import {
  type Config,
  describeSource,
  sourceOf,
  typeSettings,
} from "../../../core/settings/config.ts";
import { ownFile } from "../../../core/settings/config_file.ts";
import { typeOfKey } from "../../../core/settings/table.ts";
import { configHere } from "../config.ts";
import type { CliContext } from "../shared/command.ts";
import { columns, out, outJson, paint, say } from "../shared/output.ts";

/** `memo config types`: lists the policy of each type, with the settings applied. */
export function defineTypes(command: Command, context: CliContext): void {
  defineTable(command, context, {
    headings: ["type", "strategy", "threshold", "set by", "lifespan", "briefing", "keeps"],
    rowsOf: (config) =>
      typesIn(config).map((name) => {
        const from = (field: string) => describeSource(sourceOf(config, `${field}.${name}`));
        const sources = { strategy: from("strategy"), threshold: from("threshold") };
        return { ...typeSettings(config, name), name, from: sources };
      }),
    cellsOf: ({ name, strategy, threshold, from, lifespanDays, briefingLines, keeps }) => [
      name,
      strategy,
      String(threshold),
      [...new Set([from.strategy, from.threshold])].join(", "),
      lifespanDays === null ? "permanent" : `${lifespanDays} days`,
      briefingLines === null ? "–" : `${briefingLines} lines`,
      keeps,
    ],
  });
}

/** `memo config strategies`: lists the strategies, and the types that each one ranks here. */
export function defineStrategies(command: Command, context: CliContext): void {
  defineTable(command, context, {
    headings: ["strategy", "cost", "status", "ranks", "how"],
    rowsOf(config) {
      const inForce = new Set(Object.values(config.perType).map(String));
      const own = [...inForce].filter(ownFile).flatMap((value) => strategyOf(value, config) ?? []);
      return [...STRATEGIES, ...own].map(({ name, summary, cost, status, needsMs }) => ({
        ...{ name, summary, cost, status, needsMs },
        types: typesIn(config).filter((type) => {
          const value = typeSettings(config, type).strategy;
          return (ownFile(value)?.name ?? value) === name;
        }),
      }));
    },
    cellsOf: ({ name, cost, status, types, summary }) => [
      ...[name, cost, status],
      types.join(", ") || "-",
      summary,
    ],
    hint:
      "Run `memo config set strategy.TYPE=NAME` to change the strategy of a type, `strategy.*` for all",
  });
}

function defineTable<Row>(
  command: Command,
  context: CliContext,
  { headings, rowsOf, cellsOf, hint }: {
    readonly headings: readonly string[];
    readonly rowsOf: (config: Config) => readonly Row[];
    readonly cellsOf: (row: Row) => string[];
    readonly hint?: string;
  },
): void {
  command.option("--json", "Print JSON").action(({ json }: { json?: boolean }) => {
    const config = configHere(context);
    for (const warning of config.warnings) say(`warning: ${warning}`);
    const rows = rowsOf(config);
    if (json) return outJson(rows);
    out(columns([headings.map((heading) => paint("bold", heading)), ...rows.map(cellsOf)]));
    if (hint !== undefined) say(`\nhint: ${hint}`);
  });
}

/** The known types and those that settings name; `*`, which stands for all others, comes last. */
function typesIn({ perType }: Config): string[] {
  const known = TYPES.map(({ name }) => name).filter((name) => name !== "*");
  return [...new Set([...known, ...Object.keys(perType).map((key) => typeOfKey(key)!), "*"])]
    .sort((a, b) => Number(a === "*") - Number(b === "*"));
}
