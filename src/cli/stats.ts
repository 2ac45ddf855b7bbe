import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { MemoError, messageOf } from "../errors.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { isFolder } from "../memory/project.ts";
import { tilde } from "../paths.ts";
import { localTime } from "../text/local_time.ts";
import type { CliContext } from "./command.ts";
import { wholeNumber } from "./options.ts";
import { out, outJson, say } from "./output.ts";
import { chartsOf } from "./stats/charts.ts";
import { gather } from "./stats/gather.ts";
import { renderPage } from "./stats/page.ts";
import { renderCharts } from "./stats/terminal.ts";

interface StatsOptions {
  readonly days: number;
  /** A file, or true for stdout. */
  readonly html?: string | true;
  readonly json?: boolean;
}

/** `memo stats`: what there is, what of it is used, and what memo cost and put before the model. */
export function define(command: Command, context: CliContext): void {
  command
    .option("-d, --days <number>", "Number of days, including today", wholeNumber, 7)
    .option("--html [file]", "Write a page to a file, or print it")
    .option("--json", "Print JSON")
    .action(({ days, html, json }: StatsOptions) => {
      if (html !== undefined && json) {
        throw new MemoError("usage", "Cannot print both a page and JSON", {
          hint: "Run `memo stats --html stats.html`, or `memo stats --json`",
        });
      }
      const now = new Date();
      const statistics = gather(context, days, now);
      if (json) outJson(statistics);
      else if (html === undefined) out(renderCharts(chartsOf(statistics)));
      else {
        const { day, time } = localTime(now);
        const place = tilde(context.cwd, context.env);
        const page = renderPage(chartsOf(statistics), { place, at: `${day} ${time}` });
        if (html === true) out(page);
        else writePage(html, page);
      }
    });
}

function writePage(path: string, page: string): void {
  if (!isFolder(dirname(resolve(path)))) {
    throw new MemoError("file", `Cannot write the page to \`${path}\`: its folder does not exist`, {
      hint: "Choose a file in a folder that exists: `memo stats --html stats.html`",
    });
  }
  try {
    writeFileAtomic(path, page);
  } catch (error) {
    throw new MemoError("file", `Cannot write the page to \`${path}\`: ${messageOf(error)}`, {
      hint: "Choose a file that you may write: `memo stats --html stats.html`",
    });
  }
  say(`Wrote \`${path}\``);
}
