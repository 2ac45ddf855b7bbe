import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { sayAge } from "../memory/age.ts";
import { withCommitDates } from "../memory/list.ts";
import { tilde } from "../paths.ts";
import { visible } from "../text/neutralise.ts";
import type { CliContext } from "./command.ts";
import { describe } from "./describe.ts";
import { findAnywhere, type FoundAnywhere } from "./find_anywhere.ts";
import { findEach } from "./named.ts";
import { out, outJson, say } from "./output.ts";

/** `memo show`: prints the files of memories, archived or not. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<names...>", "Memory names, file names or paths (unique prefixes are enough)")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const named = findEach(words, (name) => findAnywhere(name, context));
      const found = await Promise.all(named.map(dated));
      if (options.json) {
        const all = found.map(toJson);
        outJson(all.length === 1 ? all[0] : all);
      } else for (const each of found) print(each, context);
    });
}

async function dated(found: FoundAnywhere): Promise<FoundAnywhere> {
  const [memory = found.memory] = await withCommitDates(found.folder, [found.memory]);
  return { ...found, memory };
}

function toJson({ memory, archived }: FoundAnywhere) {
  const { days, problems, ...described } = describe(memory, new Date());
  const { body, triggers, confidence, supersedes, source } = memory;
  return { ...described, days, archived, body, triggers, confidence, supersedes, source, problems };
}

function print({ memory, archived }: FoundAnywhere, { env }: CliContext): void {
  const { days, problems } = describe(memory, new Date());
  const facts = [memory.type, memory.scope, sayAge(days), ...(archived ? ["archived"] : [])];
  say(`${tilde(memory.path, env)} (${facts.join(", ")})`);
  for (const { message } of problems) say(`warning: ${message}`);
  const text = readFileSync(memory.path, "utf8");
  // A program gets the file unchanged; a terminal gets it without control characters.
  const shown = process.stdout.isTTY ? visible(text) : text;
  out(shown.endsWith("\n") || shown === "" ? shown : shown + "\n");
}
