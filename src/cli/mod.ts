import { Command, CommanderError, Option } from "commander";
import { codeOf, exitCodeOf, MemoError, messageOf, renderError } from "../errors.ts";
import type { Env } from "../paths.ts";
import { type CliContext, type CommandRow, contextIn } from "./shared/command.ts";
import { overview } from "./help/overview.ts";
import { withKnownFiles } from "./shared/known.ts";
import { setColor } from "../text/paint.ts";
import { out, outJson, say } from "./shared/output.ts";
import {
  asksForJson,
  commandNamed,
  pathOf,
  refuseTakenOption,
  usageError,
} from "./shared/usage.ts";
import { COMMIT, MODEL, TARGET, VERSION } from "../version.ts";

/** Every command, in the order of `memo --help`. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "add",
    group: "Memories",
    summary: "Remember something",
    load: () => import("./add.ts"),
  },
  {
    name: "list",
    group: "Memories",
    summary: "List memories, newest first",
    load: () => import("./list.ts"),
  },
  {
    name: "show",
    group: "Memories",
    summary: "Show a memory, its source and its versions",
    load: () => import("./show.ts"),
  },
  {
    name: "edit",
    group: "Memories",
    summary: "Open a memory in your editor",
    load: () => import("./edit.ts"),
  },
  {
    name: "forget",
    group: "Memories",
    summary: "Move a memory to the archive",
    load: () => import("./forget.ts"),
  },
  {
    name: "undo",
    group: "Memories",
    summary: "Revert memo's last change, or bring back a memory or version",
    load: () => import("./undo.ts"),
  },
  {
    name: "pin",
    group: "Memories",
    summary: "Keep a memory's title in every session",
    load: () => import("./pin.ts"),
  },
  {
    name: "share",
    group: "Memories",
    summary: "Move a memory into the repository to share it",
    load: () => import("./share.ts"),
  },
  {
    name: "search",
    group: "Find",
    summary: "Search memories, or the journal and past conversations",
    load: () => import("./search.ts"),
  },
  {
    name: "recall",
    group: "Find",
    summary: "Show which memories a prompt would get, or past ones got",
    load: () => import("./recall.ts"),
  },
  {
    name: "ask",
    group: "Find",
    summary: "Answer a question from the memories, with sources",
    load: () => import("./ask.ts"),
  },
  {
    name: "log",
    group: "Find",
    summary: "Show what memo has changed, or the journal of a day",
    load: () => import("./log.ts"),
  },
  {
    name: "stats",
    group: "Find",
    summary: "Show counts, use and cost of memories",
    load: () => import("./stats.ts"),
  },
  {
    name: "ui",
    group: "Find",
    summary: "Open a page of what the model was given, and why",
    load: () => import("./ui.ts"),
  },
  {
    name: "init",
    group: "Set up",
    summary: "Set memo up step by step, or add its hooks to an agent",
    load: () => import("./init.ts"),
  },
  {
    name: "uninstall",
    group: "Set up",
    summary: "Remove memo's hooks from Claude Code",
    load: () => import("./uninstall.ts"),
  },
  {
    name: "config",
    group: "Set up",
    summary: "Show and change settings, strategies and models",
    load: () => import("./config.ts"),
  },
  {
    name: "trust",
    group: "Set up",
    summary: "Allow the memories and settings of this repository",
    load: () => import("./trust.ts"),
  },
  {
    name: "guard",
    group: "Set up",
    summary: "Have Claude Code ask before what a rule forbids",
    load: () => import("./guard.ts"),
  },
  {
    name: "team",
    group: "Set up",
    summary: "Share notes with a team, reviewed by people",
    load: () => import("./team.ts"),
  },
  {
    name: "import",
    group: "Set up",
    summary: "Import the memories of another tool, or past conversations",
    load: () => import("./import.ts"),
  },
  {
    name: "doctor",
    group: "Set up",
    summary: "Diagnose problems and suggest fixes",
    load: () => import("./doctor.ts"),
  },
  {
    name: "index",
    group: "Upkeep",
    summary: "Update the index from the memory files",
    load: () => import("./reindex.ts"),
  },
  {
    name: "dream",
    group: "Upkeep",
    summary: "Merge and tidy memories, as one change that can be undone",
    load: () => import("./dream.ts"),
  },
  {
    name: "sync",
    group: "Upkeep",
    summary: "Sync the memories of your machines through a git repository",
    load: () => import("./sync.ts"),
  },
  {
    name: "export",
    group: "Upkeep",
    summary: "Export all memories to a folder or file that `memo import` reads",
    load: () => import("./export.ts"),
  },
  {
    name: "upgrade",
    group: "Upkeep",
    summary: "Upgrade memo to the newest release, or roll back",
    load: () => import("./upgrade.ts"),
  },
  {
    name: "bench",
    group: "Programs",
    summary: "Benchmark retrieval quality and hook latency",
    load: () => import("./bench.ts"),
  },
  {
    name: "prove",
    group: "Programs",
    summary: "Show what you had to say again, and what memo would have known",
    load: () => import("./prove.ts"),
  },
  {
    name: "mcp",
    group: "Programs",
    summary: "Serve memories to Claude Code and other MCP clients on stdin",
    load: () => import("./mcp.ts"),
  },
  {
    name: "statusline",
    group: "Programs",
    summary: "Print a line about this session for Claude Code's status line",
    load: () => import("./statusline.ts"),
  },
  {
    name: "daemon",
    group: "Programs",
    summary: "Manage the background daemon",
    load: () => import("./daemon.ts"),
  },
  {
    name: "completions",
    group: "Programs",
    summary: "Complete memo's command line in your shell",
    load: () => import("./completions.ts"),
  },
  {
    name: "help",
    group: "Programs",
    summary: "Explain a command or a topic",
    load: () => import("./help.ts"),
  },
];

/** The options of a run. */
interface RunOptions {
  /** Called before a usage error is printed. */
  readonly beforeUsage?: () => Promise<void>;
}

/** Runs one command line (without the executable's own name) and returns the exit code. */
export async function runCli(
  argv: readonly string[],
  env: Env = process.env,
  { beforeUsage = () => Promise.resolve() }: RunOptions = {},
): Promise<number> {
  let command: Command | undefined;
  try {
    const words = asInit(withColorLast(argv));
    const { name, group } = COMMANDS.find(({ name }) => name === words[0]) ?? {};
    const readsMemories = group === "Memories" || group === "Find" || name === "doctor";
    const plain = contextIn(env, process.cwd());
    const context = readsMemories ? await withKnownFiles(plain) : plain;
    const program = await buildProgram(context, words[0]);
    command = commandNamed(program, words);
    refuseTakenOption(command, words);
    await program.parseAsync(words, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (isHelp(error) && error.exitCode === 0) return 0;
    const failure = explained(error, command);
    const isUsage = failure instanceof MemoError && failure.kind === "usage";
    if (isHelp(error) || isUsage) await beforeUsage();
    if (isHelp(error)) return 2;
    say(renderError(failure).trimEnd());
    const json = command === undefined ? argv.includes("--json") : asksForJson(command, argv);
    if (json) outJson(describeError(failure));
    return exitCodeOf(failure);
  }
}

/** `memo install` is typed in scripts: it goes on working, as `memo init` without questions. */
function asInit(words: readonly string[]): string[] {
  if (words[0] !== "install") return [...words];
  say("hint: `install` is `memo init --scope user` now");
  return ["init", "--scope", "user", ...words.slice(1)];
}

/** The command line with `--color WHEN` behind the command, which is found by the first word. */
function withColorLast(argv: readonly string[]): string[] {
  const [first = "", second = "", ...rest] = argv;
  const taken = first === "--color" ? 2 : first.startsWith("--color=") ? 1 : 0;
  const words = taken === 2 ? rest : [second, ...rest];
  if (taken === 0 || words.length === 0 || words[0] === "" || words[0]!.startsWith("-")) {
    return [...argv];
  }
  return [words[0]!, ...argv.slice(0, taken), ...words.slice(1)];
}

/** Turns errors of the parser and the system into memo's own; other errors pass unchanged. */
function explained(error: unknown, command: Command | undefined): unknown {
  if (error instanceof CommanderError && command !== undefined) return usageError(error, command);
  if (error instanceof MemoError || codeOf(error) === undefined) return error;
  const what = command === undefined ? "run memo" : `finish \`${pathOf(command)}\``;
  return new MemoError("file", `Cannot ${what}: ${messageOf(error)}`, {
    hint: "Run `memo doctor` to diagnose the problem",
    cause: error,
  });
}

/** Whether commander has printed help or the version and wants to exit. */
function isHelp(error: unknown): error is CommanderError {
  return error instanceof CommanderError && /^commander\.(help|version)/.test(error.code);
}

/** The JSON that `--json` prints in place of the result when a command fails. */
function describeError(error: unknown) {
  const { kind = "internal", hint } = error instanceof MemoError ? error : {};
  return { error: { kind, message: messageOf(error), hint } };
}

/** Builds the command tree and loads the module of the command `name` (`*`: of all commands). */
export async function buildProgram(
  context: CliContext,
  name: string | undefined,
): Promise<Command> {
  const program = new Command("memo")
    .description("Persistent memory for Claude Code and other agents")
    .version(describeVersion(), "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() }) // their own help has the rest
    .showSuggestionAfterError(true)
    .exitOverride();
  configure(program);
  program.helpInformation = () => overview(COMMANDS);
  for (const row of COMMANDS) {
    const command = program.command(row.name).description(row.summary).exitOverride();
    configure(command);
    if (row.name === name || name === "*" || name === "help") {
      (await row.load()).define(command, context);
      everyBelow(command, configure);
      if (command.commands.length > 0) {
        command.helpCommand("help [command]", "Show help for a command");
      }
    } else command.allowUnknownOption().allowExcessArguments();
  }
  return program;
}

function everyBelow(command: Command, work: (command: Command) => void): void {
  for (const each of command.commands) {
    work(each);
    everyBelow(each, work);
  }
}

function configure(command: Command): void {
  command.enablePositionalOptions(); // an option belongs to the command that it follows
  const color = new Option("--color <when>", "Use colour: `auto`, `always` or `never`")
    .choices(["auto", "always", "never"]);
  command.addOption(command.parent === null ? color : color.hideHelp());
  command.on("option:color", setColor);
  command.configureOutput({
    writeOut: out,
    writeErr: (text) => say(text.trimEnd()),
    outputError: () => {}, // `runCli` prints errors
  });
}

/** The output of `memo --version`: version, platform and built-in model. */
function describeVersion(): string {
  const { bun, deno } = process.versions as Readonly<Record<string, string | undefined>>;
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${process.versions.node}`;
  return [
    `memo ${VERSION} (${COMMIT ? `commit ${COMMIT}` : "from its sources"})`,
    `runtime  ${runtime}, ${TARGET}`,
    ...MODEL ? [`model    ${MODEL}`] : [],
  ].join("\n");
}
