import type { Command } from "commander";
import type { Env, Paths } from "../paths.ts";

/** Headings of `memo --help`, in order. */
export const GROUPS = ["Everyday", "Set up", "Look inside", "Upkeep"] as const;

/** What a command is given instead of the process's own globals, so that tests can give it others. */
export interface CliContext {
  readonly env: Env;
  readonly paths: Paths;
  readonly cwd: string;
}

/** A module in `src/cli/`: it adds arguments, options, sub-commands and the action to its command. */
export interface CommandModule {
  define(command: Command, context: CliContext): void;
}

/** One row of the table of commands. */
export interface CommandRow {
  readonly name: string;
  readonly group: typeof GROUPS[number];
  readonly summary: string;
  /** Loads the module; each command pays for itself alone. */
  readonly load: () => Promise<CommandModule>;
}
