// The commands in a command line, parsed as bash would: lists, pipes, subshells, substitutions, `sh -c` and what else
// reads a command line, also from its input, and what runs another command (`sudo`, `env`, `xargs`, `find -exec`). What
// only the running shell knows, such as a variable's value, is not guessed; a line that cannot be parsed has no commands.

import { basename, isAbsolute, resolve } from "node:path";
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { shellWords } from "../../core/text/shell_words.ts";
import tables from "./programs.json" with { type: "json" };

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
/** How many commands a line may run before no other line in it is read: each runner may read the same one again. */
const MAX_COMMANDS = 4000;
/** Most words that braces make of one. */
const MAX_BRACED = 256;

/** The commands that a line runs, in order; none if it is not a sound line of shell. */
export function commandsIn(line: string, cwd: string): SimpleCommand[] {
  const reader = new ShellReader(cwd);
  reader.read(line, 0);
  return reader.commands;
}

/** Where a command stands in a line. */
interface CommandContext {
  readonly writes?: readonly string[];
  readonly depth: number;
  /** What it reads, if the line has it. */
  readonly input?: ShellWord;
  /** How many programs have run one another. */
  readonly runners?: number;
}

type CommandNode = Extract<SyntaxNode, { readonly type: "Command" }>;
type WordNode = Extract<SyntaxNode, { readonly type: "Word" }>;
type WordPart = NonNullable<WordNode["parts"]>[number];

class ShellReader {
  readonly commands: SimpleCommand[] = [];
  /** What a command gets from the one before it in a pipe. */
  readonly #piped = new Map<SyntaxNode, string | undefined>();
  #cwd: string | undefined;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  read(line: string, depth: number): void {
    if (line.length > MAX_CHARS || depth > MAX_DEPTH) return;
    if (this.commands.length > MAX_COMMANDS) return;
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
  #run(words: readonly ShellWord[], place: CommandContext): void {
    const [first, ...args] = words, { writes = [], depth, input, runners = 0 } = place;
    const program = first === undefined ? "" : basename(first).replace(/\.exe$/i, "");
    if (depth > MAX_DEPTH || runners >= MAX_RUNNERS) return;
    if (program === "" && writes.length === 0) return;
    this.commands.push({ program, args, writes, cwd: this.#cwd });
    if (program === "cd" || program === "pushd") this.#enter(args);
    const isReading = SHELLS.includes(program) && args.every((arg) => /^-(?!\w*c)/.test(arg ?? ""));
    if (isReading) this.#nested([input], depth);
    for (const { words, isLine, isElsewhere, isApart } of runsOf(program, args)) {
      const before = this.#cwd;
      if (isElsewhere) this.#cwd = undefined;
      if (isLine) this.#nested(words, depth);
      else if (isElsewhere || isApart) this.#run(words, { depth: depth + 1 });
      else if (words.length > 0) {
        const given = program === "xargs" ? shellWords(input ?? "") : [];
        this.#run([...words, ...given], { depth, input, runners: runners + 1 });
      }
      if (isElsewhere) this.#cwd = before;
    }
  }

  #nested(words: readonly ShellWord[], depth: number): void {
    if (words.includes(undefined)) return;
    const before = this.#cwd;
    this.read(words.join(" "), depth + 1);
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
function valueOf({ text, value, parts = [] }: WordNode): ShellWord {
  return parts.every(isStatic) ? value : /^\w+=/.test(text) ? text : undefined;
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

const STATIC = /^(?:Literal|SingleQuoted|AnsiCQuoted|Glob|ExtendedGlob|BraceExpansion)$/;

function isStatic(part: WordPart): boolean {
  return part.type === "DoubleQuoted" ? part.parts.every(isStatic) : STATIC.test(part.type);
}

const SHELLS: readonly string[] = ["sh", "bash", "zsh", "dash", "ksh", "ash"];
/** The file that is a command's own input. */
const STDIN = /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/;
const SHELL_COMMAND = /^-[a-z]*c[a-z]*$/;

/** How a program says what it runs. */
interface Runner {
  /** Its own short and long options that take the next word. */
  readonly letters?: string;
  readonly long?: readonly string[];
  /** Operands of its own before the command, and words of this at most. */
  readonly skipped?: number;
  readonly most?: number;
  /** The word before the command; a word that there must be, and a first one that there must not. */
  readonly behind?: string;
  readonly needs?: string;
  readonly unless?: string;
  /** The option that is followed by a command line. */
  readonly option?: string;
  /** It reads a command line, as a shell does. */
  readonly isLine?: boolean;
  /** On another machine or in a container, whose folders are unknown. */
  readonly isElsewhere?: boolean;
}

const RUNNERS = new Map<string, readonly Runner[]>(Object.entries(tables.runners));
/** Options of `docker run` and `docker exec` that have a value, and of what stands before these. */
const CONTAINER_VALUES = tables.containerValues.split(" ");

/** What a program runs. */
interface ShellRun extends Pick<Runner, "isLine" | "isElsewhere"> {
  readonly words: readonly ShellWord[];
  /** It may run more than this. */
  readonly isApart?: boolean;
}

function runsOf(program: string, args: readonly ShellWord[]): readonly ShellRun[] {
  if (program === "git") return aliased(args);
  if (program === "find") return runByFind(args);
  if (["docker", "podman", "docker-compose"].includes(program)) {
    return [{ words: container(args), isElsewhere: true }];
  }
  return (RUNNERS.get(program) ?? []).map((row) => ({
    words: ranBy(row, args),
    isLine: row.isLine || row.option !== undefined,
    isElsewhere: row.isElsewhere,
  }));
}

/** The words in a program's arguments that it runs, by its row. */
function ranBy(row: Runner, args: readonly ShellWord[]): readonly ShellWord[] {
  const { letters, long, skipped = 0, most = Infinity, behind, needs, unless, option } = row;
  if (option !== undefined) {
    const at = args.findIndex((arg) => arg !== undefined && new RegExp(option).test(arg));
    return at < 0 ? [] : args.slice(at + 1, at + 2);
  }
  const isOther = [behind, needs].some((word) => word !== undefined && !args.includes(word)) ||
    unless !== undefined && new RegExp(unless).test(args[0] ?? "");
  if (isOther) return [];
  const own = behind === undefined ? args : args.slice(args.indexOf(behind) + 1);
  const words = operandsOf(own, letters, long).slice(skipped, skipped + most);
  if (row.isLine) return words;
  const at = words.findIndex((word) => word === undefined || !/^\w+=/.test(word));
  return at < 0 ? [] : words.slice(at);
}

/** What follows a program's own options; those of `letters` and `long` take the next word too. */
function operandsOf(
  args: readonly ShellWord[],
  letters = "",
  long: readonly string[] = [],
): readonly ShellWord[] {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === undefined) return [];
    if (arg === "--") return args.slice(i + 1);
    if (!arg.startsWith("-") || arg === "-") return args.slice(i);
    if (long.includes(arg) || (/^-\w+$/.test(arg) && letters.includes(arg.at(-1)!))) i++;
  }
  return [];
}

/** What an alias runs that git is given with its call. */
function aliased(args: readonly ShellWord[]): ShellRun[] {
  const [name, ...rest] = operandsOf(args, "Cc", ["--git-dir", "--work-tree"]);
  const start = `alias.${name}=`;
  const alias = args.find((arg, i) => args[i - 1] === "-c" && arg?.startsWith(start))
    ?.slice(start.length);
  if (name === undefined || alias === undefined) return [];
  return alias.startsWith("!")
    ? [{ words: [alias.slice(1), ...rest], isLine: true }]
    : [{ words: ["git", ...shellWords(alias), ...rest] }];
}

/** What a program runs in a container: behind its own options, the subcommand, its options, and image or service. */
function container(args: readonly ShellWord[]): readonly ShellWord[] {
  const [run, ...rest] = operandsOf(args, "Hclfp", CONTAINER_VALUES);
  if (run === "compose") return container(rest);
  const inside = operandsOf(rest, "evwuplmhac", CONTAINER_VALUES).slice(1);
  return run === "run" || run === "exec" ? inside : [];
}

const FIND_RUNS: readonly ShellWord[] = ["-exec", "-execdir", "-ok", "-okdir"];

/** The commands of `find … -exec`; what is found is unknown. */
function runByFind(args: readonly ShellWord[]): ShellRun[] {
  return args.flatMap((arg, i) => {
    if (!FIND_RUNS.includes(arg)) return [];
    const rest = args.slice(i + 1);
    const end = rest.findIndex((word) => word === ";" || word === "+");
    const words = rest.slice(0, end < 0 ? undefined : end);
    return [{ words: words.map((word) => word?.includes("{}") ? undefined : word), isApart: true }];
  });
}
