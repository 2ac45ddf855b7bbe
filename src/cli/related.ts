import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { visible } from "../text/neutralise.ts";
import { tilde } from "../paths.ts";
import type { CliContext } from "./command.ts";
import { wholeNumber } from "./options.ts";
import { out, outJson, paint, say } from "./output.ts";
import { withTools } from "./with_tools.ts";

interface RelatedOptions {
  readonly tag?: string;
  readonly k: number;
  readonly json?: boolean;
}

/** `memo related`: what is near a memory, or has a tag. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[name...]", "Memory name, file name or path (a unique prefix is enough)")
    .option("--tag <tag>", "List the memories with this tag instead")
    .option("-k <number>", "Maximum number of results", wholeNumber, 10)
    .option("--json", "Print JSON")
    .action(async (words: string[], { tag, k, json }: RelatedOptions) => {
      const name = words.length === 0 ? undefined : words.join(" ");
      if ((name === undefined) === (tag === undefined)) {
        throw new MemoError("usage", "Cannot list related memories: give either a name or a tag", {
          hint: "Run `memo related NAME`, or `memo related --tag TAG`",
        });
      }
      const { run } = await import("../mcp/related.ts");
      const { data } = await withTools(context, (tools) => run({ name, tag, limit: k }, tools));
      const memories = data.memories;
      if (json) outJson(memories);
      else {
        for (const { name, type, scope, path, similarity } of memories) {
          const score = similarity === undefined ? "" : `${similarity.toFixed(2)}  `;
          out(
            `${score}${paint("bold", visible(name))}  ${paint("dim", `${type}, ${scope}`)}\n` +
              `${" ".repeat(score.length)}${paint("dim", tilde(path, context.env))}\n`,
          );
        }
      }
      if (memories.length > 0) return;
      if (!json) say("No memory is related; run `memo list` to see all");
      process.exitCode = 1;
    });
}
