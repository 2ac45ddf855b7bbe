import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { sayAge } from "../memory/age.ts";
import { tilde } from "../paths.ts";
import { visible } from "../text/neutralise.ts";
import type { CliContext } from "./command.ts";
import { describe } from "./describe.ts";
import { findAnywhere } from "./find_anywhere.ts";
import { out, outJson, say } from "./output.ts";

/** `memo show`: prints the file of a memory, archived or not. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", "Memory name, file name or path (a unique prefix is enough)")
    .option("--json", "Print JSON")
    .action((words: string[], options: { json?: boolean }) => {
      const { memory, archived } = findAnywhere(words.join(" "), context);
      const { days, problems, ...described } = describe(memory, new Date());
      if (options.json) {
        const { body, triggers, tags, confidence, supersedes, source } = memory;
        const rest = { body, triggers, tags, confidence, supersedes, source };
        outJson({ ...described, days, archived, ...rest, problems });
        return;
      }
      const facts = [memory.type, memory.scope, sayAge(days), ...(archived ? ["archived"] : [])];
      say(`${tilde(memory.path, context.env)} (${facts.join(", ")})`);
      for (const { message } of problems) say(`warning: ${message}`);
      const text = readFileSync(memory.path, "utf8");
      // A program gets the file unchanged; a terminal gets it without control characters.
      const shown = process.stdout.isTTY ? visible(text) : text;
      out(shown.endsWith("\n") || shown === "" ? shown : shown + "\n");
    });
}
