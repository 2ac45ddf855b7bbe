// memo's manual page, man(7): made from the tables of commands, settings and topics, so it says what they say.

import type { Argument, Command, Option } from "commander";
import { TOPICS } from "./topics.ts";
import { VERSION } from "../../version.ts";
import type { CliContext } from "../shared/command.ts";
import { pathOf } from "../shared/usage.ts";

/** The page of a program whose commands are all loaded. */
export function manualPage(program: Command, context: CliContext): string {
  const topics = Object.fromEntries(
    TOPICS.map(({ name, text }) => [name, text(context)] as const),
  );
  return [
    `.TH MEMO 1 "" "memo ${VERSION}" "User Commands"`,
    ...section("NAME", ["memo \\- persistent memory for Claude Code"]),
    ...section("SYNOPSIS", [".B memo", ".I COMMAND", "[", ".I OPTIONS", "]"]),
    ...section("DESCRIPTION", [
      text(
        "memo puts the right memories before Claude Code's model at each prompt, and writes new ones " +
          "from the conversation. Memories are Markdown files; everything else is made from them.",
      ),
    ]),
    ...section("COMMANDS", commands(program).flatMap(describe)),
    ...section("MEMORIES", preformatted(topics["memories"]!)),
    ...section("HOOKS", preformatted(topics["hooks"]!)),
    ...section("ENVIRONMENT", preformatted(topics["environment"]!)),
    ...section("EXIT STATUS", preformatted(topics["exit-codes"]!)),
  ].join("\n") + "\n";
}

function section(name: string, lines: readonly string[]): string[] {
  return [`.SH "${name}"`, ...lines];
}

/** Every command that does something itself, depth first. */
function commands(command: Command): Command[] {
  return command.createHelp().visibleCommands(command).flatMap((each) =>
    each.commands.length === 0 ? [each] : commands(each)
  );
}

function describe(command: Command): string[] {
  const usage = [pathOf(command), ...command.registeredArguments.map(shown)].join(" ");
  const options = command.createHelp().visibleOptions(command)
    .filter(({ long }) => long !== "--help");
  return [
    `.SS "${text(usage)}"`,
    text(command.description()),
    ...options.flatMap(option),
  ];
}

function shown(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

function option({ flags, description }: Option): string[] {
  return [".TP", `.B "${text(flags)}"`, text(description)];
}

function preformatted(block: string): string[] {
  return [".nf", ...block.split("\n").map((line) => text(line)), ".fi"];
}

/** A line of text: backslashes and hyphens as they are, no line taken for a request, quotes for one's argument. */
function text(line: string): string {
  return line.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq")
    .replace(/^([.'])/, "\\&$1");
}
