import type { Command } from "commander";
import { type Command as Program, selfCommand } from "../link/self.ts";
import type { Env, Paths } from "../paths.ts";

/** Headings of `memo --help`, in order. */
export const GROUPS = ["Everyday", "Set up", "Look inside", "Upkeep"] as const;

/** The environment of a command, passed as an argument so that tests can replace it. */
export interface CliContext {
  readonly env: Env;
  readonly paths: Paths;
  readonly cwd: string;
  /** The executable that hooks are to name, if it is another one than this. */
  readonly executable?: string;
}

/** The memo that hooks are to name. */
export function programOf({ executable }: CliContext): Program {
  return executable === undefined ? selfCommand() : { command: executable, args: [] };
}

/** A module in `src/cli/`: adds arguments, options, subcommands and the action to its command. */
export interface CommandModule {
  define(command: Command, context: CliContext): void;
}

/** One row of the table of commands. */
export interface CommandRow {
  readonly name: string;
  readonly group: typeof GROUPS[number];
  readonly summary: string;
  /** Loads the module; only the command that runs is loaded. */
  readonly load: () => Promise<CommandModule>;
}
