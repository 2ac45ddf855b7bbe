import { resolve } from "node:path";
import { matchesCommand, matchesPath, type Pattern, type Whereabouts } from "./pattern.ts";
import { commandsIn, type SimpleCommand } from "./shell.ts";

/** A tool call that is about to be made. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The folder that it is made in. */
  readonly cwd: string;
}

/** The tools whose calls can be guarded, and the field with the file that one changes. */
const WRITING: Readonly<Record<string, string>> = {
  Edit: "file_path",
  Write: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};

/** A tool call, read once for all patterns. */
export interface ReadCall {
  readonly commands: readonly SimpleCommand[];
  /** The file that it changes. */
  readonly file: string | undefined;
}

/** What a call does, as far as guards care; undefined for a tool that none is about. */
export function readCall({ tool, input, cwd }: Call): ReadCall | undefined {
  if (tool === "Bash") {
    const { command } = input;
    return typeof command === "string"
      ? { commands: commandsIn(command, cwd), file: undefined }
      : undefined;
  }
  const file = input[WRITING[tool] ?? ""];
  return typeof file === "string" ? { commands: [], file: resolve(cwd, file) } : undefined;
}

/** Whether a call is what a pattern stops. */
export function matchesCall(
  pattern: Pattern,
  { commands, file }: ReadCall,
  where: Whereabouts,
): boolean {
  if (file !== undefined) return "path" in pattern && matchesPath(pattern.path, file, where);
  return commands.some((command) => matchesCommand(pattern, command, where));
}
