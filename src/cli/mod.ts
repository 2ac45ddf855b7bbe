import { Command, CommanderError } from "commander";
import { codeOf, exitCodeOf, MemoError, messageOf, renderError } from "../errors.ts";
import { type Env, pathsFor } from "../paths.ts";
import { VERSION } from "../version.ts";
import { type CliContext, type CommandRow, GROUPS } from "./command.ts";
import { out, outJson, say } from "./output.ts";
import { asksForJson, commandNamed, pathOf, usageError } from "./usage.ts";

/** Every command, in the order of `memo --help`. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "add",
    group: "Everyday",
    summary: "Remember something",
    load: () => import("./add.ts"),
  },
  {
    name: "list",
    group: "Everyday",
    summary: "List memories, newest first",
    load: () => import("./list.ts"),
  },
  {
    name: "show",
    group: "Everyday",
    summary: "Print a memory",
    load: () => import("./show.ts"),
  },
  {
    name: "edit",
    group: "Everyday",
    summary: "Open a memory in your editor",
    load: () => import("./edit.ts"),
  },
  {
    name: "forget",
    group: "Everyday",
    summary: "Move a memory to the archive",
    load: () => import("./forget.ts"),
  },
  {
    name: "restore",
    group: "Everyday",
    summary: "Bring a memory back from the archive",
    load: () => import("./restore.ts"),
  },
  {
    name: "search",
    group: "Everyday",
    summary: "Find memories",
    load: () => import("./search.ts"),
  },
  {
    name: "recall",
    group: "Everyday",
    summary: "Show what a prompt would get, and why",
    load: () => import("./recall.ts"),
  },
  {
    name: "install",
    group: "Set up",
    summary: "Add memo's hooks to Claude Code",
    load: () => import("./install.ts"),
  },
  {
    name: "uninstall",
    group: "Set up",
    summary: "Take memo's hooks out again",
    load: () => import("./uninstall.ts"),
  },
  {
    name: "config",
    group: "Set up",
    summary: "Show and change settings",
    load: () => import("./config.ts"),
  },
  {
    name: "model",
    group: "Set up",
    summary: "Choose, fetch and list embedding models",
    load: () => import("./model.ts"),
  },
  {
    name: "doctor",
    group: "Set up",
    summary: "Look for what is wrong, and say what to do about it",
    load: () => import("./doctor.ts"),
  },
  {
    name: "receipts",
    group: "Look inside",
    summary: "Show what the last prompts got",
    load: () => import("./receipts.ts"),
  },
  {
    name: "expand",
    group: "Look inside",
    summary: "Show a memory with its source, its earlier versions and its neighbours",
    load: () => import("./expand.ts"),
  },
  {
    name: "transcript",
    group: "Look inside",
    summary: "Show the conversation that something comes from",
    load: () => import("./transcript.ts"),
  },
  {
    name: "journal",
    group: "Look inside",
    summary: "Show what happened on a day",
    load: () => import("./journal.ts"),
  },
  {
    name: "types",
    group: "Look inside",
    summary: "Show the types of memories and their policies",
    load: () => import("./types.ts"),
  },
  {
    name: "strategies",
    group: "Look inside",
    summary: "Show the ways to rank memories, and which types use them",
    load: () => import("./strategies.ts"),
  },
  {
    name: "stats",
    group: "Look inside",
    summary: "Count memories, prompts, and what language models cost",
    load: () => import("./stats.ts"),
  },
  {
    name: "bench",
    group: "Look inside",
    summary: "Measure how well strategies find memories, and how fast the hook is",
    load: () => import("./bench.ts"),
  },
  {
    name: "index",
    group: "Upkeep",
    summary: "Bring the index in step with the memory files",
    load: () => import("./reindex.ts"),
  },
  {
    name: "extract",
    group: "Upkeep",
    summary: "Write memories and a journal from a conversation by hand",
    load: () => import("./extract.ts"),
  },
  {
    name: "daemon",
    group: "Upkeep",
    summary: "Control the process that keeps index and model warm",
    load: () => import("./daemon.ts"),
  },
];

/** Runs one command line (without the executable's own name) and returns the exit code. */
export async function runCli(argv: readonly string[], env: Env = process.env): Promise<number> {
  let command: Command | undefined;
  try {
    const context: CliContext = { env, paths: pathsFor(env), cwd: process.cwd() };
    const program = await buildProgram(context, argv[0]);
    command = commandNamed(program, argv);
    await program.parseAsync([...argv], { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (isHelp(error)) return error.exitCode === 0 ? 0 : 2;
    const failure = explained(error, command);
    say(renderError(failure).trimEnd());
    const json = command === undefined ? argv.includes("--json") : asksForJson(command, argv);
    if (json) outJson(describeError(failure));
    return exitCodeOf(failure);
  }
}

/** An error of the parser or the system in the form of memo's own; what nobody expected stays as it is. */
function explained(error: unknown, command: Command | undefined): unknown {
  if (error instanceof CommanderError && command !== undefined) return usageError(error, command);
  if (error instanceof MemoError || codeOf(error) === undefined) return error;
  const what = command === undefined ? "run memo" : `finish \`${pathOf(command)}\``;
  return new MemoError("file", `Cannot ${what}: ${messageOf(error)}`, {
    hint: "Run `memo doctor` to look for what is wrong",
    cause: error,
  });
}

/** Help and version have been printed: nothing has gone wrong, but that `memo` alone says nothing to do. */
function isHelp(error: unknown): error is CommanderError {
  return error instanceof CommanderError && /^commander\.(help|version)/.test(error.code);
}

/** An error as `--json` prints it, in place of the result. */
function describeError(error: unknown) {
  const { kind = "internal", hint } = error instanceof MemoError ? error : {};
  return { error: { kind, message: messageOf(error), hint } };
}

/** The whole command tree; only the module of the command that `name` names is loaded (all of them for `*`). */
export async function buildProgram(
  context: CliContext,
  name: string | undefined,
): Promise<Command> {
  const program = new Command("memo")
    .description("Persistent memory for Claude Code")
    .version(VERSION, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .showSuggestionAfterError(true)
    .addHelpText("after", EXAMPLES)
    .exitOverride();
  configure(program);
  for (const group of GROUPS) {
    for (const row of COMMANDS.filter((row) => row.group === group)) {
      const command = program.command(row.name).description(row.summary).helpGroup(`${group}:`);
      command.exitOverride();
      configure(command);
      if (row.name === name || name === "*" || name === "help") {
        (await row.load()).define(command, context);
      } else command.allowUnknownOption().allowExcessArguments();
    }
  }
  return program;
}

function configure(command: Command): void {
  command.configureOutput({
    writeOut: out,
    writeErr: (text) => say(text.trimEnd()),
    outputError: () => {}, // `runCli` prints it as it does all others
  });
}

const EXAMPLES = `
Examples:
  memo install                      Add memo's hooks to Claude Code
  memo add "Use pnpm, never npm"    Remember something
  memo search "package manager"     Find it again
  memo recall "set up the repo" --explain
                                    See what a prompt would get, and why
`;
