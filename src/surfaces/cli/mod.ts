import { Command, CommanderError, Option } from "commander";
import { codeOf, exitCodeOf, MemoError, messageOf, renderError } from "../../errors.ts";
import type { Env } from "../../paths.ts";
import { type CliContext, contextIn, withKnownFiles } from "./shared/command.ts";
import { INTERRUPTED, Interrupted } from "./shared/confirm.ts";
import { offAt, refuseOff } from "../../core/memory/off.ts";
import { setColor } from "../../core/text/terminal.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";
import {
  asksForJson,
  commandNamed,
  pathOf,
  refuseTakenOption,
  usageError,
} from "./shared/usage.ts";
import { COMMIT, MODEL, TARGET, VERSION } from "../../version.ts";

/** What each command is for, and its module: only that of the command that runs is loaded. */
type Commands = Readonly<Record<string, readonly [summary: string, load: CommandRow["load"]]>>;

const EVERYDAY: Commands = {
  add: ["Save a memory", () => import("./add.ts")],
  list: ["List memories, newest first", () => import("./list.ts")],
  edit: ["Change a memory, in your editor or with options", () => import("./edit.ts")],
  forget: ["Move a memory to the archive", () => import("./forget.ts")],
  undo: ["Revert the last change, or restore a memory or version", () => import("./undo.ts")],
};

const RECALL: Commands = {
  recall: [
    "Show the memories a prompt would get, or past prompts got",
    () => import("./recall.ts"),
  ],
  ui: ["Open a page that shows what the model was given, and why", () => import("./ui.ts")],
  guard: ["Make Claude Code ask before it breaks a rule", () => import("./guard.ts")],
};

const SET_UP: Commands = {
  init: ["Set up memo step by step, or add its hooks to an agent", () => import("./init.ts")],
  doctor: ["Diagnose problems and suggest fixes", () => import("./doctor.ts")],
  config: ["Show and change settings and strategies", () => import("./config.ts")],
};

const INSPECT: Commands = {
  show: ["Show a memory, its source and its versions", () => import("./show.ts")],
  search: ["Search memories, or the journal and past conversations", () => import("./search.ts")],
  log: ["Show what memo changed, or the journal of a day", () => import("./log.ts")],
  stats: ["Show how memories are used and what they cost", () => import("./stats.ts")],
};

const SHARE: Commands = {
  share: [
    "Move a memory into the repository, or propose it to a team",
    () => import("./share.ts"),
  ],
  team: ["Share memories with a team, after review", () => import("./team.ts")],
  trust: [
    "Trust this repository's memories and settings, and imported memories",
    () => import("./trust.ts"),
  ],
  sync: ["Sync memories between your machines with git", () => import("./sync.ts")],
  import: [
    "Import memories from another tool, or from past conversations",
    () => import("./import.ts"),
  ],
  export: [
    "Export all memories to a folder or file `memo import` reads",
    () => import("./export.ts"),
  ],
};

const UPKEEP: Commands = {
  dream: ["Merge and tidy memories, as one change you can undo", () => import("./dream.ts")],
  index: ["Update the index from the memory files", () => import("./reindex.ts")],
  upgrade: ["Check for a newer release and how to install it", () => import("./upgrade.ts")],
  uninstall: ["Remove memo's hooks from Claude Code", () => import("./uninstall.ts")],
};

const PROGRAMS: Commands = {
  bench: ["Benchmark retrieval quality and hook latency", () => import("./bench.ts")],
  mcp: ["Run the MCP server for Claude Code and other clients", () => import("./mcp.ts")],
  statusline: [
    "Print memo's part of Claude Code's status line",
    () => import("./statusline.ts"),
  ],
  daemon: ["Manage the background daemon", () => import("./daemon.ts")],
  completions: ["Print the completion script for your shell", () => import("./completions.ts")],
  help: ["Explain a command or a topic", () => import("./help.ts")],
};

/** Every command by its group, in the order of `memo --help`. */
const GROUPED = {
  "Everyday": EVERYDAY,
  "Recall and rules": RECALL,
  "Set up": SET_UP,
  "Inspect": INSPECT,
  "Share and import": SHARE,
  "Upkeep": UPKEEP,
  "Programs": PROGRAMS,
} as const;

/** A module of a command: adds arguments, options, subcommands and the action to it. */
interface CommandModule {
  define(command: Command, context: CliContext): void;
}

interface CommandRow {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** The table of commands. */
export const COMMANDS: readonly CommandRow[] = Object.entries(GROUPED).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, [summary, load]]) => ({ name, group, summary, load }))
);

/** The groups and commands that read the memories of whole folders. */
const READERS: readonly string[] = [
  ...["Everyday", "Recall and rules", "Inspect"],
  ...["doctor", "init", "share", "trust", "import", "dream"],
];

/** The groups and commands that work where memo is off: they read no memories of the folder. */
const WORK_ANYWHERE: readonly string[] = ["Set up", "Programs", "upgrade", "uninstall"];

/** Runs one command line (without the executable's own name) and returns the exit code. */
export async function runCli(
  argv: readonly string[],
  env: Env = process.env,
  { beforeUsage = () => Promise.resolve() }: {
    /** Called before a usage error is printed. */
    readonly beforeUsage?: () => Promise<void>;
  } = {},
): Promise<number> {
  let command: Command | undefined;
  try {
    const words = withColorLast(argv);
    if (/^(-V|--version) --json$/.test(words.join(" "))) {
      outJson(build());
      return 0;
    }
    const { name = "", group = "" } = COMMANDS.find(({ name }) => name === words[0]) ?? {};
    const readsMemories = READERS.includes(group) || READERS.includes(name);
    const plain = contextIn(env, process.cwd());
    const isOff = offAt(plain.place) !== undefined;
    const context = readsMemories && !isOff ? await withKnownFiles(plain) : plain;
    const program = await buildProgram(context, words[0]);
    if (isOff && !WORK_ANYWHERE.includes(group) && !WORK_ANYWHERE.includes(name)) {
      program.hook("preAction", () => refuseOff(plain.place));
    }
    command = commandNamed(program, words);
    refuseTakenOption(command, words);
    await program.parseAsync(words, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (isHelp(error) && error.exitCode === 0) return 0;
    if (error instanceof Interrupted) return INTERRUPTED;
    const failure = explained(error, command);
    const isUsage = failure instanceof MemoError && failure.kind === "usage";
    if (isHelp(error) || isUsage) await beforeUsage();
    if (isHelp(error)) return 2;
    say(renderError(failure).trimEnd());
    const json = command === undefined ? argv.includes("--json") : asksForJson(command, argv);
    const { kind = "internal", hint } = failure instanceof MemoError ? failure : {};
    if (json) outJson({ error: { kind, message: messageOf(failure), hint } });
    return exitCodeOf(failure);
  }
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
  program.helpInformation = () => overview();
  for (const row of COMMANDS) {
    const command = program.command(row.name).description(row.summary).exitOverride();
    configure(command);
    if (row.name === name || name === "*" || name === "help") {
      (await row.load()).define(command, context);
      addJson(command);
      everyBelow(command, configure);
      everyBelow(command, addJson);
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

/** Commands whose output is no data. */
const WITHOUT_JSON = /^memo (?:completions|config edit|daemon (?:embed|run)|help|mcp)$/;

/** Every other command prints JSON, too. */
function addJson(command: Command): void {
  if (command.commands.length > 0 || WITHOUT_JSON.test(pathOf(command))) return;
  if (command.options.some(({ long }) => long === "--json")) return;
  command.option("--json", "Print JSON");
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

function build() {
  const { bun, deno } = process.versions as Readonly<Record<string, string | undefined>>;
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${process.versions.node}`;
  return {
    ...{ version: VERSION, commit: COMMIT || null, runtime, target: TARGET },
    model: MODEL || null,
  };
}

function describeVersion(): string {
  const { version, commit, runtime, target, model } = build();
  return [
    `memo ${version} (${commit ? `commit ${commit}` : "from source"})`,
    `runtime  ${runtime}, ${target}`,
    ...model ? [`model    ${model}`] : [],
  ].join("\n");
}

/** Groups whose commands the overview only names, to fit a screen. */
const NAMES_ONLY: readonly string[] = [
  "Share and import",
  "Upkeep",
  "Programs",
] satisfies (keyof typeof GROUPED)[];

/** What a person says or types in a session of Claude Code. */
const IN_SESSIONS = [
  ['In a session, say "remember this" or "forget that"; type `memo undo` to revert'],
  ["the last change, `memo pause` to silence memo until you type it again."],
];

/** `memo --help`: the commands by what they are for, at most 40 lines of 80 columns. */
function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const groups = Object.entries(GROUPED).map(([group, commands]) => {
    const heading = paint("bold", `${group}:`), rows = Object.entries(commands);
    if (NAMES_ONLY.includes(group)) {
      return columns([[`${heading} ${Object.keys(commands).join(", ")}`]]);
    }
    const lines = rows.map(([name, [summary]]) => [`  ${name.padEnd(width)}`, summary]);
    return `${heading}\n${columns(lines)}\n`;
  });
  const more = "Run `memo help COMMAND` to see its options, `memo help topics` for more.";
  return `Persistent memory for Claude Code and other agents
Usage: memo <command> [options]

${groups.join("")}
${columns(IN_SESSIONS)}
${columns([["Options: -h, --help; -V, --version; --color <auto|always|never>"], [more]])}`;
}
