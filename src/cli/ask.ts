import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { tilde } from "../paths.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson, paint, say } from "./shared/output.ts";
import { withTools } from "./shared/with_tools.ts";

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
      const { answerFrom, NO_MODEL } = await import("../mcp/answer.ts");
      const { answer, because, sources: hits } = await withTools(
        context,
        (tools) => answerFrom(question, tools),
      );
      const sources = hits.map(({ memory: { name, type, scope, path }, passage }) => (
        { name: neutraliseLine(name), type, scope, path, passage }
      ));
      if (json) outJson({ answer, because, sources });
      else {
        if (answer !== null) out(`${answer}\n`);
        else say(`No answer: ${because}${because === NO_MODEL ? "; `memo doctor` says why" : ""}`);
        if (sources.length > 0) {
          out(`\n${paint("bold", answer === null ? "Nearest memories" : "Sources")}\n`);
        }
        for (const { name, path } of sources) {
          out(`${name}  ${paint("dim", tilde(path, context.env))}\n`);
        }
      }
      if (sources.length === 0 && answer === null) process.exitCode = 1;
    });
}
