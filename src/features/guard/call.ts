import { resolve } from "node:path";
import { CHANGING_TOOLS } from "../../../hooks/events.ts";
import { realPath } from "../../core/memory/project.ts";
import { type Location, matchesCommand, matchesPath, type Pattern } from "./pattern.ts";
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

const CHANGES = new RegExp(`^(?:${CHANGING_TOOLS})$`);
/** What names a file in the arguments of an MCP server's tool. */
const NAMES_FILE = /(?:^|_)(?:file_?)?(?:path|file|filename|source|destination|uri)s?(?:$|_)/;

/** A tool call, read once for all patterns. */
export interface ReadCall {
  readonly commands: readonly SimpleCommand[];
  /** The files that it changes. */
  readonly files: readonly string[];
}

/** What a call does, as far as guards care; undefined for a tool that none is about. */
export function readCall({ tool, input, cwd }: Call): ReadCall | undefined {
  if (tool === "Bash") {
    const { command } = input;
    return typeof command === "string"
      ? { commands: commandsIn(command, cwd), files: [] }
      : undefined;
  }
  const file = input[WRITING[tool] ?? ""];
  const named = typeof file === "string" ? [file] : CHANGES.test(tool) ? filesIn(input, tool) : [];
  const files = named.map((name) => realPath(resolve(cwd, name.replace(/^file:\/\//, ""))));
  return files.length === 0 ? undefined : { commands: [], files };
}

/** The files that arguments name: `path`, `relative_path`, `filePath`, `{files: [{path}]}`. */
function filesIn(value: unknown, tool: string, key = ""): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, each]) =>
      filesIn(each, tool, Array.isArray(value) ? key : name)
    );
  }
  const words = key.replace(/([a-z])(?=[A-Z])/g, "$1_").toLowerCase();
  const isCopied = words === "source" && /copy/i.test(tool);
  return typeof value === "string" && NAMES_FILE.test(words) && !isCopied ? [value] : [];
}

/** Whether a call is what a pattern stops. */
export function matchesCall(
  pattern: Pattern,
  { commands, files }: ReadCall,
  where: Location,
): boolean {
  return files.some((file) => "path" in pattern && matchesPath(pattern.path, file, where)) ||
    commands.some((command) => matchesCommand(pattern, command, where));
}
