import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { CliContext } from "./shared/command.ts";
import { TOPICS } from "./help/topics.ts";
import { columns, out } from "./shared/output.ts";

/** `memo help`: explains a command or a topic. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[topic...]", "A command, such as `config set`, or a topic")
    .addHelpText(
      "after",
      `\nTopics:\n${topics()}`,
    )
    .action((words: string[]) => explain(words, { program: command.parent!, context }));
}

/** A line for each topic. */
function topics(): string {
  return columns(TOPICS.map(({ name, summary }) => ["  " + name, summary]));
}

function explain(
  words: readonly string[],
  { program, context }: { readonly program: Command; readonly context: CliContext },
): void {
  if (words.join(" ") === "topics") return out(`${topics()}\n`);
  const topic = TOPICS.find(({ name }) => name === words[0]);
  if (topic !== undefined && words.length === 1) return out(`${topic.text(context).trimEnd()}\n`);
  let command = program;
  if (words.length === 0) program.addHelpText("after", `\nTopics of \`memo help\`:\n${topics()}`);
  for (const word of words) {
    command = command.commands.find((each) => each.name() === word) ?? unknown(word, command);
  }
  command.outputHelp();
}

function unknown(word: string, command: Command): never {
  const topics = command.parent === null ? TOPICS : [];
  const known = [...command.commands.map((each) => each.name()), ...topics.map(({ name }) => name)];
  const near = nearest(word, known);
  throw new MemoError("usage", `No help on \`${word}\``, {
    hint: `${
      near === undefined ? "" : `Did you mean \`${near}\`? `
    }Run \`memo help topics\` for the topics`,
  });
}
