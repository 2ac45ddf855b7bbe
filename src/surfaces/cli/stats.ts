import type { Command } from "commander";
import type { CliContext } from "./shared/command.ts";
import { wholeNumber } from "./shared/options.ts";
import { out, outJson, say } from "./shared/output.ts";
import { chartsOf } from "./stats/charts.ts";
import { gather } from "../../features/statistics/gather.ts";
import { renderCharts } from "./stats/terminal.ts";

/** `memo stats`: what there is, what of it is used, and what memo cost and injected. */
export function define(command: Command, context: CliContext): void {
  command
    .option("-d, --days <number>", "Number of days, including today", wholeNumber, 7)
    .option("--json", "Print JSON")
    .action(({ days, json }: { readonly days: number; readonly json?: boolean }) => {
      const statistics = gather(context, days, new Date());
      if (json) outJson(statistics);
      else {
        const text = renderCharts(chartsOf(statistics));
        if (text === "") say("Nothing to count yet: no memories, prompts or calls");
        out(text);
      }
    });
}
