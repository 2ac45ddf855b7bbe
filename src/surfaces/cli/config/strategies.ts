import type { Command } from "commander";
import { STRATEGIES } from "../../../../strategies/mod.ts";
import { strategyOf } from "../../../core/recall/retrieve.ts";
import { type Config, typeSettings } from "../../../core/settings/config.ts";
import { ownFile } from "../../../core/settings/config_file.ts";
import { typeOfKey } from "../../../core/settings/table.ts";
import { TYPES } from "../../../core/memory/types.ts";
import type { CliContext } from "../shared/command.ts";
import { configHere } from "../config.ts";
import { columns, out, outJson, paint, say } from "../shared/output.ts";

/** `memo config strategies`: lists the strategies, and the types that each one ranks here. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--json", "Print JSON")
    .action(({ json }: { json?: boolean }) => {
      const config = configHere(context);
      for (const warning of config.warnings) say(`warning: ${warning}`);
      const inForce = Object.values(config.perType).map((value) =>
        strategyOf(String(value), config)
      );
      const known = new Set([...STRATEGIES, ...inForce.filter((each) => each !== undefined)]);
      const rows = [...known].map(({ name, summary, cost, status, needsMs }) => ({
        name,
        summary,
        cost,
        status,
        needsMs,
        types: typesOf(name, config),
      }));
      if (json) outJson(rows);
      else {
        out(columns([
          HEADINGS.map((heading) => paint("bold", heading)),
          ...rows.map(({ name, cost, status, types, summary }) => [
            name,
            cost,
            status,
            types.join(", ") || "-",
            summary,
          ]),
        ]));
        say(
          "\nhint: Run `memo config set strategy.TYPE=NAME` to change the strategy of a type, `strategy.*` for all",
        );
      }
    });
}

const HEADINGS = ["strategy", "cost", "status", "ranks", "how"];

/** The types that a strategy ranks; `*` stands for unknown types. */
function typesOf(strategy: string, config: Config): string[] {
  const set = Object.keys(config.perType).map((key) => typeOfKey(key)!);
  const types = new Set<string>([...TYPES.map(({ name }) => name), ...set]);
  return [...types].filter((type) => {
    const value = typeSettings(config, type).strategy;
    return (ownFile(value)?.name ?? value) === strategy;
  });
}
