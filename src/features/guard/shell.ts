// The commands in a command line, parsed as bash would: lists, pipes, subshells, substitutions, `sh -c` and what else
// reads a command line, also from its input, and what runs another command (`sudo`, `env`, `xargs`, `find -exec`). What
// only the running shell knows, such as a variable's value, is not guessed; a line that cannot be parsed has no commands.

import { basename, isAbsolute, resolve } from "node:path";
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { shellWords } from "../../core/text/shell_words.ts";
import { READING, rowOf, type Runner, RUNNING, WITH_VALUES } from "./programs.ts";

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
/** How many programs that run one another are followed: each costs a copy of the words. */
const MAX_RUNNERS = 100;
/** Most words that braces make of one. */
const MAX_BRACED = 256;

/** The commands that a line runs, in order; none if it is not a sound line of shell. */
export function commandsIn(line: string, cwd: string): SimpleCommand[] {
  const reader = new Reader(cwd);
  reader.read(line, 0);
  return reader.commands;
}

/** Where a command stands in a line. */
interface Surroundings {
  readonly writes?: readonly string[];
  readonly depth: number;
  /** What it reads, if the line has it. */
  readonly input?: ShellWord;
}

type CommandNode = Extract<SyntaxNode, { readonly type: "Command" }>;
type WordNode = Extract<SyntaxNode, { readonly type: "Word" }>;
type Part = NonNullable<WordNode["parts"]>[number];

class Reader {
  readonly commands: SimpleCommand[] = [];
  /** What a command gets from the one before it in a pipe. */
  readonly #piped = new Map<SyntaxNode, string | undefined>();
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
    if (node.type === "Pipeline") {
      for (const [i, command] of node.commands.entries()) {
        const source = node.commands[i - 1];
        if (source?.type === "Command") this.#piped.set(command, this.#saidBy(source));
      }
    }
    forEachChild(node, (child) => this.#visit(child, depth));
    if (node.type === "Command") this.#command(node, depth);
    if (node.type === "Subshell" || node.type === "CommandExpansion") this.#cwd = before;
  }

  #command(node: CommandNode, depth: number): void {
    const writes = node.redirects.flatMap((redirect) => {
      if (redirect.type !== "Redirect" || !redirect.operator.includes(">")) return [];
      const target = redirect.target === undefined ? undefined : valueOf(redirect.target);
      return target === undefined || /^\d+$|^-$/.test(target) ? [] : [target];
    });
    const words = wordsOf(node), input = this.#inputOf(node);
    this.#run(words, { writes, depth, input });
    this.#nested([this.#readBy(node, words, input)], depth);
  }

  /** What a shell reads as commands from a file that the line itself makes: `. /dev/stdin`, `bash <(echo ls)`. */
  #readBy(node: CommandNode, [program = "", ...args]: ShellWord[], input: ShellWord): ShellWord {
    if (![...SHELLS, "source", "."].includes(program)) return undefined;
    const at = args.findIndex((arg) => arg === undefined || !/^[-+]/.test(arg));
    const word = node.args[at];
    if (word === undefined || args.slice(0, at).some((arg) => SHELL_COMMAND.test(arg!))) {
      return undefined;
    }
    if (STDIN.test(args[at] ?? "")) return input;
    const [part] = word.type === "Word" ? word.parts ?? [] : [];
    if (part?.type !== "ProcessSubstitution") return undefined;
    const last = part.script?.commands.at(-1)?.command;
    return last?.type === "Command" ? this.#saidBy(last) : undefined;
  }

  /** What a command reads, as far as the line has it: a here-document, a here-string, or what is piped to it. */
  #inputOf(node: CommandNode): ShellWord {
    for (const redirect of node.redirects.toReversed()) {
      if (redirect.type === "HereDoc") return redirect.body?.text;
      if (redirect.type === "HereString") return redirect.target && valueOf(redirect.target);
    }
    return this.#piped.get(node);
  }

  /** What a command prints, if it only passes a text on. */
  #saidBy(node: CommandNode): ShellWord {
    const [program, ...args] = wordsOf(node);
    if (program === "cat" || program === "tee") return this.#inputOf(node);
    if (program !== "echo" && program !== "printf") return undefined;
    if (args.includes(undefined)) return undefined;
    const said = args.filter((arg) => !/^-[neE]+$/.test(arg!));
    return said.join(program === "echo" ? " " : "\n").replaceAll("\\n", "\n");
  }

  /** Adds a command, and what it runs. */
  #run(words: readonly ShellWord[], { writes = [], depth, input }: Surroundings): void {
    for (let left = words, runners = 0; runners < MAX_RUNNERS; runners++) {
      const [first, ...args] = left;
      const program = first === undefined ? "" : basename(first).replace(/\.exe$/i, "");
      const written = runners === 0 ? writes : [];
      if (depth > MAX_DEPTH || (program === "" && written.length === 0)) return;
      this.commands.push({ program, args, writes: written, cwd: this.#cwd });
      if (program === "cd" || program === "pushd") this.#enter(args);
      this.#nested(rowOf(LINES, program)?.(args) ?? [], depth);
      if (SHELLS.includes(program) && args.every((arg) => /^-(?!\w*c)/.test(arg ?? ""))) {
        this.#nested([input], depth);
      }
      if (program === "find") {
        for (const run of runByFind(args)) this.#run(run, { depth: depth + 1 });
      }
      if (program === "ssh") this.#elsewhere(() => this.#nested(remote(args).slice(1), depth));
      const inside = rowOf(CONTAINERS, program)?.(args) ?? [];
      if (inside.length > 0) this.#elsewhere(() => this.#run(inside, { depth: depth + 1 }));
      left = rowOf(RUNNERS, program)?.(args) ?? [];
      if (program === "xargs" && left.length > 0) left = [...left, ...shellWords(input ?? "")];
    }
  }

  /** Reads commands of another machine, or of a container, whose folders are unknown. */
  #elsewhere(read: () => void): void {
    const before = this.#cwd;
    this.#cwd = undefined;
    read();
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

/** The words of a command, its program first; none if it only sets variables. */
function wordsOf({ name, args }: CommandNode): ShellWord[] {
  const words = name === undefined ? [] : [name, ...args];
  return words.flatMap((word) => word.type === "Word" ? expanded(word) : [word.text]);
}

/** A word's value as the program gets it; globs stay as they are, and of a variable that is set its name is enough. */
function valueOf({ text, value, parts }: WordNode): ShellWord {
  return (parts ?? []).every(isStatic) ? value : /^\w+=/.test(text) ? text : undefined;
}

/** What braces make of a word; ranges stay as they are. */
function expanded(word: WordNode): ShellWord[] {
  const value = valueOf(word);
  if (value === undefined || !word.parts?.some(({ type }) => type === "BraceExpansion")) {
    return [value];
  }
  let words = [value];
  for (let hasMore = true; hasMore;) {
    const next = words.flatMap((each) => {
      const [braces, list] = /\{([^{}]*,[^{}]*)\}/.exec(each) ?? [];
      return list === undefined
        ? [each]
        : list.split(",").map((one) => each.replace(braces!, () => one));
    });
    if (next.length > MAX_BRACED) return [value];
    hasMore = next.length > words.length;
    words = next;
  }
  return words;
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
/** The file that is a command's own input. */
const STDIN = /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/;
const SHELL_COMMAND = /^-[a-z]*c[a-z]*$/;

/** Programs that read a command line in their arguments, and which words of these it is. */
const LINES: Readonly<Record<string, (args: readonly ShellWord[]) => readonly ShellWord[]>> = {
  ...Object.fromEntries(SHELLS.map((shell) => [shell, behind(SHELL_COMMAND)])),
  ...Object.fromEntries(
    Object.entries(READING).map(([program, option]) => [program, behind(new RegExp(option))]),
  ),
  eval: (args) => args,
  trap: (args) => runnerWith("")(args).slice(0, 1),
  watch: (args) => runnerWith("nq", ["--interval"])(args),
  git: (args) => {
    const [alias, ...rest] = aliased(args);
    return alias?.startsWith("!") ? [alias.slice(1), ...rest] : [];
  },
};

/** The word after an option, such as `-c`. */
function behind(option: RegExp) {
  return (args: readonly ShellWord[]): readonly ShellWord[] => {
    const at = args.findIndex((arg) => arg !== undefined && option.test(arg));
    return at < 0 ? [] : args.slice(at + 1, at + 2);
  };
}

/** What an alias stands for that git is given with its call, and what follows; empty where it is given none. */
function aliased(args: readonly ShellWord[]): ShellWord[] {
  const [name, ...rest] = runnerWith("Cc", ["--git-dir", "--work-tree"])(args);
  const start = `alias.${name}=`;
  const alias = args.find((arg, i) => args[i - 1] === "-c" && arg?.startsWith(start));
  return name === undefined || alias === undefined ? [] : [alias.slice(start.length), ...rest];
}

/** Programs that run the command in their arguments, and what of these is that command. */
const RUNNERS: Readonly<Record<string, (args: readonly ShellWord[]) => readonly ShellWord[]>> = {
  ...Object.fromEntries(
    Object.entries(RUNNING).map(([program, row]) => [program, runnerOf(row)]),
  ),
  env: (args) => withoutAssignments(runnerWith("uC", ["--unset", "--chdir"])(args)),
  command: (args) => /^-[vV]+$/.test(args[0] ?? "") ? [] : runnerWith("")(args),
  git: (args) => {
    const [alias, ...rest] = aliased(args);
    return alias === undefined || alias.startsWith("!")
      ? []
      : ["git", ...shellWords(alias), ...rest];
  },
};

/** What `ssh` is told: the machine, and the command there. */
const remote = runnerWith("bcDEeFIiJLlmOopQRSWw");

/** Options of `docker run` and `docker exec` that have a value, and of what stands before these. */
const CONTAINER_VALUES = WITH_VALUES.split(" ");

/** What a program runs in a container: behind its own options, the subcommand, its options, and image or service. */
function container(args: readonly ShellWord[]): readonly ShellWord[] {
  const [run, ...rest] = runnerWith("Hclfp", CONTAINER_VALUES)(args);
  if (run === "compose") return container(rest);
  const inside = runnerWith("evwuplmhac", CONTAINER_VALUES)(rest).slice(1);
  return run === "run" || run === "exec" ? inside : [];
}

/** Programs that run a command in a container. */
const CONTAINERS: Readonly<Record<string, (args: readonly ShellWord[]) => readonly ShellWord[]>> = {
  ...{ docker: container, podman: container, "docker-compose": container },
  kubectl: (args) =>
    args.includes("exec") && args.includes("--") ? args.slice(args.indexOf("--") + 1) : [],
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

/** What a program runs, by its row; a package manager runs what stands behind its subcommand. */
function runnerOf({ letters = "", long, skipped = 0, behind }: Runner) {
  const run = runnerWith(letters, long);
  return (args: readonly ShellWord[]): readonly ShellWord[] => {
    const at = behind === undefined ? 0 : args.indexOf(behind) + 1;
    return behind !== undefined && at === 0 ? [] : run(args.slice(at)).slice(skipped);
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
