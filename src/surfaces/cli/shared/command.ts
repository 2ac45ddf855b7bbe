import type { Command } from "commander";
import { linkTo } from "../../../features/install/executable.ts";
import { type Command as Program, isCompiled, selfCommand } from "../../../core/link/self.ts";
import { type Place, placeIn } from "../../../core/memory/project.ts";
import { type Env, type Paths, pathsFor } from "../../../paths.ts";

/** Headings of `memo --help`, in order. */
export const GROUPS = ["Memories", "Find", "Set up", "Upkeep", "Programs"] as const;

/** The environment of a command, passed as an argument so that tests can replace it. */
export interface CliContext {
  readonly env: Env;
  readonly paths: Paths;
  readonly cwd: string;
  /** The same as a place: what projects and memory folders are found by. */
  readonly place: Place;
  /** The executable that hooks are to name, if it is another one than this. */
  readonly executable?: string;
}

/** The context of a command at a working directory. */
export function contextIn(env: Env, cwd: string): CliContext {
  const paths = pathsFor(env);
  return { env, paths, cwd, place: placeIn(paths, cwd) };
}

/** The memo that hooks are to name. */
export function programOf({ executable, env, paths, cwd }: CliContext): Program {
  if (executable !== undefined) return { command: executable, args: [] };
  const self = selfCommand();
  const options = { project: cwd, home: paths.home };
  const link = isCompiled ? linkTo(self.command, env["PATH"] ?? "", options) : undefined;
  return link === undefined ? self : { command: link, args: [] };
}

/** A module in `src/surfaces/cli/`: adds arguments, options, subcommands and the action to its command. */
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
