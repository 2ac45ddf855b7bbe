import type { Command, CommanderError } from "commander";
import { MemoError } from "../errors.ts";

/** The command that a command line names, as far as it can be told: the program itself when it names none. */
export function commandNamed(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

/** Whether a command was asked for JSON: by `--json` alone, for with a value it means a file. */
export function asksForJson(command: Command, argv: readonly string[]): boolean {
  return argv.includes("--json") &&
    command.options.some((option) => option.long === "--json" && option.isBoolean());
}

/** What the parser found wrong with a command line, in the form of memo's other errors. */
export function usageError({ message }: CommanderError, command: Command): MemoError {
  const [line = "", meant] = message.replace(/^error: /, "").split("\n");
  const text = line.replace(/'([^']*)'/g, "`$1`").replace(/\.$/, "");
  const near = /\(Did you mean (?:one of )?(.+?)\?\)/.exec(meant ?? "")?.[1];
  const question = near === undefined
    ? ""
    : `Did you mean ${near.split(", ").map((word) => `\`${word}\``).join(", ")}? `;
  const help = `\`${pathOf(command)} --help\` shows what there is`;
  return new MemoError("usage", text.charAt(0).toUpperCase() + text.slice(1), {
    hint: question + help,
  });
}

/** A command as it is typed, `memo config set` say. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
