import { basename } from "node:path";
import type { Command } from "commander";
import { readReceipts, type Receipt } from "../recall/receipts.ts";
import type { CliContext } from "./command.ts";
import { columns, out, outJson, say } from "./output.ts";
import { wholeNumber } from "./options.ts";

/** `memo receipts`: what the last prompts got, and why others got nothing. */
export function define(command: Command, { paths }: CliContext): void {
  command
    .option("-n, --lines <number>", "How many prompts, newest last", wholeNumber, 20)
    .option("--session <id>", "Only this session's")
    .option("--json", "Print JSON")
    .action((options: { lines: number; session?: string; json?: boolean }) => {
      const wanted = (receipt: Receipt) =>
        options.session === undefined || receipt.session === options.session;
      const receipts = readReceipts(paths.receipts, Infinity).filter(wanted).slice(0, options.lines)
        .reverse();
      if (options.json) outJson(receipts);
      else if (receipts.length > 0) out(columns(receipts.map(row)));
      if (receipts.length === 0) {
        if (!options.json) {
          say("No prompt has passed through memo yet; `memo install` adds the hooks");
        }
        process.exitCode = 1;
      }
    });
}

function row(receipt: Receipt): string[] {
  const total = Object.values(receipt.ms).reduce((sum, ms) => sum + ms, 0);
  const names = receipt.memories.map(({ path, score }) => `${basename(path)} ${score.toFixed(2)}`);
  return [
    receipt.at.slice(0, 19).replace("T", " "),
    (receipt.session ?? "-").slice(0, 8),
    receipt.outcome,
    `${total.toFixed(1)} ms`,
    receipt.chars > 0 ? `${receipt.chars} chars` : "",
    names.join(", ") || (receipt.why ?? ""),
  ];
}
