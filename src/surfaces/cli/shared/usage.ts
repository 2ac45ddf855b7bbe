import type { Command, CommanderError } from "commander";
import { counted } from "../../../core/text/counted.ts";
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
      `\`${nameOf(option.flags)}\` needs a value: \`${next}\` is an option`,
      { hint: `Run \`${pathOf(command)} --help\` for usage` },
    );
  }
}

/** Converts an error of the parser into a MemoError. */
export function usageError({ code, message }: CommanderError, command: Command): MemoError {
  // A text may begin with a dash, such as a rule about `--force`, and go over several lines.
  const option = /'([^]*)'/.exec(message)?.[1] ?? message;
  if (code === "commander.unknownOption" && /\s/.test(option.trim())) {
    const what = "Cannot read a text that begins with `-`: it looks like an option";
    const hint = `Put \`--\` before it: \`${pathOf(command)} -- "-text"\``;
    return new MemoError("usage", what, { hint });
  }
  const said = message.replace(/^error: /, "");
  const [line = "", meant] = said.split("\n");
  const text = formatValueError(said, command) ??
    line.replace(/'([^']*)'/g, "`$1`").replace(/\.$/, "");
  const word = /^Unknown (?:command|option) `(.+)`$/i.exec(text)?.[1];
  const unknown = command.parent === null ? word : undefined;
  if (SPOKEN.some((word) => word === unknown)) {
    const typed = `memo ${unknown}`;
    return new MemoError("usage", `\`${typed}\` is a prompt, not a command`, {
      hint: `Type \`${typed}\` in the session it is for`,
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

/** Errors of the parser about values, and memo's words for them. */
const VALUE_ERRORS: readonly (readonly [
  pattern: RegExp,
  format: (found: readonly string[], command: Command) => string,
])[] = [
  [/^option '(.+?)' argument missing/, ([flags = ""]) => `\`${nameOf(flags)}\` needs a value`],
  [
    /^option '(.+?)' cannot be used with option '(.+?)'/,
    ([one = "", other = ""]) => `Cannot use \`${nameOf(one)}\` with \`${nameOf(other)}\``,
  ],
  [
    /^too many arguments.*? Expected (\d+) .*? but got (\d+):/,
    ([most, got], command) => {
      const limit = most === "0" ? "no arguments" : counted(Number(most), "argument");
      return `\`${pathOf(command)}\` takes ${limit}, but got ${got}`;
    },
  ],
  [
    /^option '(.+?)' argument '[^]*?' is invalid\. ([^]*)/,
    ([flags = "", wanted = ""]) => formatRule(nameOf(flags), wanted),
  ],
  [
    /^command-argument value '[^]*?' is invalid for argument '(.+?)'\. ([^]*)/,
    ([name = "", wanted = ""]) => formatRule(name, wanted),
  ],
];

/** An error about a value in memo's words; undefined for other errors. */
function formatValueError(message: string, command: Command): string | undefined {
  for (const [pattern, format] of VALUE_ERRORS) {
    const found = pattern.exec(message);
    if (found !== null) return format(found.slice(1), command);
  }
  return undefined;
}

/** What a value must be, by the parser's choices, or by an `Expected …` of memo's own. */
function formatRule(name: string, wanted: string): string {
  const rule = wanted.replace(/\.$/, "").replace(/^(?:Expected|Pass) /, "");
  const [, choices] = /^Allowed choices are (.*)$/.exec(rule) ?? [];
  return `\`${name}\` must be ${choices === undefined ? rule : alternatives(choices.split(", "))}`;
}

/** An option by its long name, such as `--type` for `-t, --type <type>`. */
function nameOf(flags: string): string {
  return flags.split(", ").at(-1)!.replace(/[ =].*/, "");
}

/** Choices in a sentence: `user, project or shared`. */
export function alternatives(choices: readonly string[]): string {
  const last = choices.at(-1) ?? "";
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(", ")} or ${last}`;
}

/** A command as it is typed, such as `memo config set`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
