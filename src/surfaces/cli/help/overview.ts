import { columns, paint } from "../shared/output.ts";
import { type CommandRow, GROUPS } from "../shared/command.ts";

/** Groups of which the overview has the names alone, so that it fits a screen. */
const NAMES_ALONE: readonly string[] = ["Upkeep", "Programs"] satisfies typeof GROUPS[number][];

/** `memo --help`: the commands by what they are for, at most 40 lines of 80 columns. */
export function overview(commands: readonly CommandRow[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const shown = GROUPS.filter((group) => !NAMES_ALONE.includes(group)).map((group) => {
    const rows = commands.filter((row) => row.group === group);
    const lines = rows.map(({ name, summary }) => [`  ${name.padEnd(width)}`, summary]);
    return `${paint("bold", `${group}:`)}\n${columns(lines)}\n`;
  });
  const named = NAMES_ALONE.map((group) => {
    const names = commands.filter((row) => row.group === group).map(({ name }) => name);
    return columns([[`${paint("bold", `${group}:`)} ${names.join(", ")}`]]);
  });
  const more = "Run `memo help COMMAND` to see its options, `memo help topics` for more.";
  return `Persistent memory for Claude Code and other agents
Usage: memo <command> [options]

${shown.join("")}${named.join("")}
${columns([["Options: -h, --help; -V, --version; --color <auto|always|never>"], [more]])}`;
}
