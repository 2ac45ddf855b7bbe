// The commands in a command line, parsed as bash would: lists, pipes, subshells, substitutions, `sh -c`, and what runs
// another command (`sudo`, `env`, `xargs`, `find -exec`). What only the running shell knows, such as a variable's value,
// is not guessed; a line that cannot be parsed has no commands.

import { basename, isAbsolute, resolve } from "node:path";
import { forEachChild, parse, type SyntaxNode } from "unbash";

/** A word of a command; undefined if it is known only when the command runs. */
export type ShellWord = string | undefined;

/** A command without what runs it. */
export interface SimpleCommand {
  /** The program's name, without its folder. */
  readonly program: string;
  readonly args: readonly ShellWord[];
  /** Files that its output is redirected to. */
  readonly writes: readonly string[];
  /** The folder that it runs in, as far as the line itself tells; undefined: unknown. */
  readonly cwd: string | undefined;
}

/** A longer line is let through: a shell script in a command line is no single action. */
const MAX_CHARS = 16 * 1024;
/** No system has a longer path; thousands of `cd` would make one, and each resolves all of it. */
const MAX_PATH = 4096;
/** How deep `sh -c "sh -c …"` is followed. */
const MAX_DEPTH = 4;

/** The commands that a line runs, in order; none if it is not a sound line of shell. */
export function commandsIn(line: string, cwd: string): SimpleCommand[] {
  const reader = new Reader(cwd);
  reader.read(line, 0);
  return reader.commands;
}

type CommandNode = Extract<SyntaxNode, { readonly type: "Command" }>;
type WordNode = Extract<SyntaxNode, { readonly type: "Word" }>;
type Part = NonNullable<WordNode["parts"]>[number];

class Reader {
  readonly commands: SimpleCommand[] = [];
  #cwd: string | undefined;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  read(line: string, depth: number): void {
    if (line.length > MAX_CHARS || depth > MAX_DEPTH) return;
    const script = parse(line);
    if ((script.errors?.length ?? 0) > 0) return;
    this.#visit(script, depth);
  }

  #visit(node: SyntaxNode, depth: number): void {
    if (node.type === "Script" && (node.errors?.length ?? 0) > 0) return;
    const before = this.#cwd;
    forEachChild(node, (child) => this.#visit(child, depth));
    if (node.type === "Command") this.#command(node, depth);
    if (node.type === "Subshell" || node.type === "CommandExpansion") this.#cwd = before;
  }

  #command({ name, args, redirects }: CommandNode, depth: number): void {
    const writes = redirects.flatMap((redirect) => {
      if (redirect.type !== "Redirect" || !redirect.operator.includes(">")) return [];
      const target = redirect.target === undefined ? undefined : valueOf(redirect.target);
      return target === undefined || /^\d+$|^-$/.test(target) ? [] : [target];
    });
    const words = name === undefined
      ? []
      : [valueOf(name), ...args.map((arg) => arg.type === "Word" ? valueOf(arg) : arg.text)];
    this.#run(words, writes, depth);
  }

  /** Adds a command, or what it runs. */
  #run(words: readonly ShellWord[], writes: readonly string[], depth: number): void {
    const [first, ...args] = words;
    const program = first === undefined ? "" : basename(first).replace(/\.exe$/i, "");
    if (depth > MAX_DEPTH || (program === "" && writes.length === 0)) return;
    this.commands.push({ program, args, writes, cwd: this.#cwd });
    if (program === "cd" || program === "pushd") this.#enter(args);
    if (program === "eval") this.#nested(args, depth);
    if (SHELLS.includes(program)) this.#nested(afterFlag(args, SHELL_COMMAND), depth);
    if (program === "find") {
      for (const run of runByFind(args)) this.#run(run, [], depth + 1);
    }
    if (program === "ssh") this.#remote(args, depth);
    const wrapped = RUNNERS[program]?.(args);
    if (wrapped !== undefined && wrapped.length > 0) this.#run(wrapped, [], depth + 1);
  }

  /** The command on another machine, whose folders are unknown. */
  #remote(args: readonly ShellWord[], depth: number): void {
    const [, ...words] = runnerWith("bcDEeFIiJLlmOopQRSWw")(args);
    const before = this.#cwd;
    this.#cwd = undefined;
    this.#nested(words, depth);
    this.#cwd = before;
  }

  #nested(words: readonly ShellWord[], depth: number): void {
    const [line] = words;
    if (words.length === 0 || words.some((word) => word === undefined)) return;
    const before = this.#cwd;
    this.read(words.length === 1 ? line! : words.join(" "), depth + 1);
    this.#cwd = before;
  }

  #enter(args: readonly ShellWord[]): void {
    const folder = args.find((arg) => arg !== "--" && !/^-[LP@e]+$/.test(arg ?? ""));
    const isPlain = folder !== undefined && !/^[~-]/.test(folder);
    if (!isPlain) this.#cwd = undefined;
    else if (isAbsolute(folder)) this.#cwd = folder;
    else if (this.#cwd !== undefined) this.#cwd = resolve(this.#cwd, folder);
    if ((this.#cwd?.length ?? 0) > MAX_PATH) this.#cwd = undefined;
  }
}

/** A word's value as the program gets it; globs stay as they are. */
function valueOf({ value, parts }: WordNode): ShellWord {
  return (parts ?? []).every(isStatic) ? value : undefined;
}

const STATIC: readonly Part["type"][] = [
  "Literal",
  "SingleQuoted",
  "AnsiCQuoted",
  "Glob",
  "ExtendedGlob",
  "BraceExpansion",
];

function isStatic(part: Part): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every(isStatic);
  return STATIC.includes(part.type);
}

const SHELLS: readonly string[] = ["sh", "bash", "zsh", "dash", "ksh", "ash"];
const SHELL_COMMAND = /^-[a-z]*c[a-z]*$/;

/** The command line after `-c`. */
function afterFlag(args: readonly ShellWord[], flag: RegExp): readonly ShellWord[] {
  const at = args.findIndex((arg) => arg !== undefined && flag.test(arg));
  return at < 0 ? [] : args.slice(at + 1, at + 2);
}

/** Programs that run the command in their arguments, and what of these is that command. */
const RUNNERS: Readonly<Record<string, (args: readonly ShellWord[]) => readonly ShellWord[]>> = {
  sudo: runnerWith("ughpCrtUDRT", ["--user", "--group", "--host", "--prompt", "--chdir"]),
  doas: runnerWith("uC"),
  env: (args) => withoutAssignments(runnerWith("uC", ["--unset", "--chdir"])(args)),
  command: (args) => /^-[vV]+$/.test(args[0] ?? "") ? [] : runnerWith("")(args),
  builtin: runnerWith(""),
  exec: runnerWith("a"),
  nice: runnerWith("n", ["--adjustment"]),
  ionice: runnerWith("cnp", ["--class", "--classdata"]),
  nohup: runnerWith(""),
  setsid: runnerWith(""),
  time: runnerWith("fo"),
  timeout: (args) => runnerWith("sk", ["--signal", "--kill-after"])(args).slice(1),
  stdbuf: runnerWith("ioe", ["--input", "--output", "--error"]),
  watch: runnerWith("nq", ["--interval"]),
  npx: runnerWith("pc", ["--package", "--call"]),
  bunx: runnerWith(""),
  pnpm: executed("exec"),
  npm: executed("exec"),
  yarn: executed("exec"),
  bundle: executed("exec"),
  xargs: runnerWith("InPLdEsa", ["--max-args", "--max-procs", "--delimiter", "--arg-file"]),
};

/** Skips a program's own options; those of `letters` and `long` take the next word too. */
function runnerWith(letters: string, long: readonly string[] = []) {
  return (args: readonly ShellWord[]): readonly ShellWord[] => {
    for (let i = 0; i < args.length; i++) {
      const arg = args[i];
      if (arg === undefined) return [];
      if (arg === "--") return args.slice(i + 1);
      if (!arg.startsWith("-") || arg === "-") return args.slice(i);
      if (long.includes(arg) || (/^-\w+$/.test(arg) && letters.includes(arg.at(-1)!))) i++;
    }
    return [];
  };
}

/** What a package manager runs of what it has installed. */
function executed(subcommand: string) {
  return (args: readonly ShellWord[]): readonly ShellWord[] => {
    const at = args.indexOf(subcommand);
    return at < 0 ? [] : runnerWith("")(args.slice(at + 1));
  };
}

function withoutAssignments(words: readonly ShellWord[]): readonly ShellWord[] {
  const at = words.findIndex((word) => word === undefined || !/^\w+=/.test(word));
  return at < 0 ? [] : words.slice(at);
}

const FIND_RUNS: readonly ShellWord[] = ["-exec", "-execdir", "-ok", "-okdir"];

/** The commands of `find … -exec`; what is found is unknown. */
function runByFind(args: readonly ShellWord[]): ShellWord[][] {
  return args.flatMap((arg, i) => {
    if (!FIND_RUNS.includes(arg)) return [];
    const rest = args.slice(i + 1);
    const end = rest.findIndex((word) => word === ";" || word === "+");
    const words = end < 0 ? rest : rest.slice(0, end);
    return [words.map((word) => word?.includes("{}") ? undefined : word)];
  });
}
