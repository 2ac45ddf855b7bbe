import type { Command, CommanderError } from "commander";
import { MemoError } from "../../../errors.ts";
import { SPOKEN } from "../../../core/events/event.ts";
import synonyms from "./synonyms.json" with { type: "json" };

/** What people look for under another name, and the command that does it. */
const SYNONYMS: Readonly<Record<string, string>> = synonyms;

/** The command that a command line names; the program itself if it names none. */
export function commandNamed(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

/** Whether `--json` asks to print JSON, also of a command without it; with a value it names a file. */
export function asksForJson(command: Command, argv: readonly string[]): boolean {
  const option = command.options.find(({ long }) => long === "--json");
  const at = argv.indexOf("--json");
  if (at < 0) return false;
  return option === undefined || option.isBoolean() || (argv[at + 1] ?? "-").startsWith("-");
}

/** Refuses an option of the command in place of another one's value, as in `--type --json`. */
export function refuseTakenOption(command: Command, argv: readonly string[]): void {
  const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  for (const [i, word] of argv.entries()) {
    const next = argv[i + 1];
    if (word === "--" || next === undefined) return;
    const option = command.options.find(({ long, short }) => word === long || word === short);
    if (option?.required !== true || !flags.has(next)) continue;
    throw new MemoError(
      "usage",
      `Option \`${option.flags}\` lacks its value: \`${next}\` is an option`,
      { hint: `Run \`${pathOf(command)} --help\` for usage` },
    );
  }
}

/** Converts an error of the parser into a MemoError. */
export function usageError({ code, message }: CommanderError, command: Command): MemoError {
  // A text may begin with a dash, such as a rule about `--force`, and go over several lines.
  const option = /'([^]*)'/.exec(message)?.[1] ?? message;
  if (code === "commander.unknownOption" && /\s/.test(option.trim())) {
    const what = "Cannot take a text that begins with `-`: it looks like an option";
    const hint = `Put \`--\` before it: \`${pathOf(command)} -- "-text"\``;
    return new MemoError("usage", what, { hint });
  }
  const [line = "", meant] = message.replace(/^error: /, "").split("\n");
  const text = line.replace(/'([^']*)'/g, "`$1`").replace(/\.$/, "")
    .replace(/^(Too many arguments for) `.*?`/i, `$1 \`${pathOf(command)}\``);
  const word = /^Unknown (?:command|option) `(.+)`$/i.exec(text)?.[1];
  const unknown = command.parent === null ? word : undefined;
  if (SPOKEN.some((word) => word === unknown)) {
    const typed = `memo ${unknown}`;
    return new MemoError("usage", `\`${typed}\` is a prompt, not a command`, {
      hint: `Type \`${typed}\` in the session that it is for`,
    });
  }
  const near = SYNONYMS[`${pathOf(command)} ${word}`.replace(/^\S+ /, "")] ??
    /\(Did you mean (?:one of )?(.+?)\?\)/.exec(meant ?? "")?.[1];
  const question = near === undefined
    ? /\s/.test(unknown ?? "") ? `Run \`memo add "${unknown}"\` to remember it. ` : ""
    : `Did you mean ${near.split(", ").map((word) => `\`${word}\``).join(", ")}? `;
  const tooMany = code === "commander.excessArguments" ? "Quote a text or path with spaces. " : "";
  const help = `Run \`${pathOf(command)} --help\` for usage`;
  return new MemoError("usage", text.charAt(0).toUpperCase() + text.slice(1), {
    hint: tooMany + question + help,
  });
}

/** A command as it is typed, such as `memo config set`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
