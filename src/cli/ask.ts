import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { visible } from "../text/neutralise.ts";
import type { CliContext } from "./shared/command.ts";
import { idsHere } from "./shared/find.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";
import { inquire } from "./shared/served.ts";

/** `memo ask`: an answer from the memories, with its sources. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<question...>", "The question")
    .option("--json", "Print JSON")
    .action(async (words: string[], { json }: { json?: boolean }) => {
      const question = words.join(" ").trim();
      if (question === "") {
        throw new MemoError("usage", "Cannot answer an empty question", {
          hint: 'Run `memo ask "which package manager do we use, and why?"`',
        });
      }
      const { NO_MODEL } = await import("../mcp/answer.ts");
      const { answer, because, sources } = await inquire("ask", { question }, context);
      if (json) outJson({ answer, because, sources });
      else {
        if (answer !== null) out(`${answer}\n`);
        else say(`No answer: ${because}${because === NO_MODEL ? "; `memo doctor` says why" : ""}`);
        if (sources.length > 0) {
          out(`\n${paint("bold", answer === null ? "Memories that match" : "Sources")}\n`);
          const ids = idsHere(sources, context);
          out(columns(sources.map(({ name }, i) => [ids[i]!, visible(name)])));
        }
      }
      if (sources.length === 0 && answer === null) process.exitCode = 1;
    });
}
