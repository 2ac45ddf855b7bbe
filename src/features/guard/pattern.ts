// What a guard stops: commands, written as a person would type them, and files. A pattern matches less rather than more:
// what it does not recognize for sure, it lets through.

import { isAbsolute, relative, resolve } from "node:path";
import { withSlashes } from "../../core/files/slashes.ts";
import { shellWords } from "../../core/text/shell_words.ts";
import tables from "./programs.json" with { type: "json" };
import { commandsIn, type ShellWord, type SimpleCommand } from "./shell.ts";
import { CHANGING_TOOLS } from "../../../hooks/events.ts";
import { realPath } from "../../core/memory/project.ts";

/**
 * One pattern. A command matches if it has the same program, subcommand and options, and whatever else: `git push
 * --force` matches `git -C app push -fu origin main`. A path is read like a line of `.gitignore`, from the project's
 * root; it matches what changes such a file. `*` stands for anything in a word.
 */
export type Pattern = { readonly command: string } | { readonly path: string };

/** How a program takes its options; of one that is not in the table only what is written out is recognized. */
interface Program {
  /** Options before the subcommand that take the next word as their value. */
  readonly values?: readonly string[];
  /** Its short options can stand together (`-rf`). */
  readonly clusters?: boolean;
  /** It has no subcommand: an operand may stand anywhere. */
  readonly isFlat?: boolean;
}

const PROGRAMS = new Map<string, Program>(Object.entries(tables.programs));
/** Other ways to write an option, by program and subcommand; `+` is git's mark of a forced ref. */
const ALIASES = new Map<string, readonly (readonly string[])[]>(Object.entries(tables.aliases));
/** Short options that take the rest of their cluster, or the next word, as a value. */
const VALUES = new Map<string, string>(Object.entries(tables.values));

/** Options after which nothing is done. */
const HARMLESS: readonly ShellWord[] = ["--help", "--version", "--dry-run"];

/** Whether a pattern can be used at all: it names a program, or a file below the root. */
export function isPattern(value: unknown): value is Pattern {
  const { command, path } = (value ?? {}) as {
    readonly command?: unknown;
    readonly path?: unknown;
  };
  if (typeof command === "string") {
    const [program = ""] = shellWords(command);
    return path === undefined && /^\w[\w.@+-]*$/.test(program) && !/[\n\0]/.test(command);
  }
  return typeof path === "string" && path.trim() !== "" && !/[\n\0]/.test(path) &&
    !/^[/*.\s]*$/.test(path) && !path.split("/").includes("..");
}

/** A pattern as it is shown. */
export function formatPattern(pattern: Pattern): string {
  return "command" in pattern ? pattern.command : `changes to ${pattern.path}`;
}

/** Whether a command of a command line is what a pattern stops. */
function matchesCommand(pattern: Pattern, command: SimpleCommand, root: string): boolean {
  if ("path" in pattern) {
    return writtenBy(command).some((file) => matchesPath(pattern.path, file, root));
  }
  const [program, ...wanted] = shellWords(pattern.command);
  if (program !== command.program) return false;
  const given = argumentsOf(command);
  if (given.options.some((option) => HARMLESS.includes(option))) return false;
  const operands = wanted.filter((word) => !isOption(word));
  const subcommand = PROGRAMS.get(program)?.isFlat ? [] : operands.slice(0, 1);
  if (subcommand.some((word) => !isLike(word, given.operands[0]))) return false;
  const scope = [program, ...subcommand].join(" ");
  return hasInOrder(operands.slice(subcommand.length), given, scope) &&
    wanted.filter(isOption)
      .flatMap((option) => lettersOf(option, program, subcommand[0]) ?? [option])
      .every((option) => hasOption(option, given, scope));
}

/** No system has a longer path. */
const MAX_PATH = 4096;

/** Whether a file is one that a pattern protects. */
function matchesPath(pattern: string, file: string, root: string): boolean {
  const way = isAbsolute(pattern) ? file : withSlashes(relative(root, resolve(root, file)));
  if (way.startsWith("../../") || way === ".." || way.length > MAX_PATH) return false;
  const wanted = pattern.replace(/^\.?\//, "").replace(/\/+$/, "").split("/");
  const isAnchored = wanted.length > 1 || isAbsolute(pattern);
  return isBelow(isAnchored ? wanted : ["**", ...wanted], way.replace(/^\//, "").split("/"));
}

/** Whether a path, by its parts, is what a pattern names or lies below it. */
function isBelow(wanted: readonly string[], parts: readonly string[]): boolean {
  // How many parts the pattern so far may have taken.
  let taken = new Set([0]);
  for (const part of wanted) {
    const next = new Set<number>();
    for (const count of taken) {
      if (part === "**") { for (let i = count; i <= parts.length; i++) next.add(i); }
      else if (count < parts.length && isLike(part, parts[count])) next.add(count + 1);
    }
    taken = next;
  }
  return taken.size > 0;
}

/** The arguments of a command, told apart. */
type Arguments = ReturnType<typeof argumentsOf>;

function argumentsOf({ program, args }: SimpleCommand) {
  const options: string[] = [], operands: ShellWord[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i], [subcommand] = operands;
    if (arg === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (arg === undefined || !isOption(arg)) operands.push(arg);
    else {
      const letters = lettersOf(arg, program, subcommand), last = letters?.at(-1)?.slice(1);
      options.push(...letters ?? [arg]);
      const isBefore = operands.length === 0 && PROGRAMS.get(program)?.values?.includes(arg);
      const takesNext = last !== undefined && arg.endsWith(last) &&
        VALUES.get(`${program} ${subcommand}`)?.includes(last);
      if (isBefore || takesNext) i++;
    }
  }
  // Options as they are written, those of a cluster each by itself; what stands without a dash, the subcommand first;
  // and all words, values of options too.
  return { options, operands, words: args };
}

/** The options of a cluster such as `-uf`, up to one that has a value; undefined if the word is none. */
function lettersOf(arg: string, program: string, subcommand: ShellWord): string[] | undefined {
  const { clusters, isFlat } = PROGRAMS.get(program) ?? {};
  if (!clusters || !/^-[A-Za-z]/.test(arg)) return undefined;
  if (!isFlat && subcommand === undefined) return undefined; // git's -C and -c stand alone
  const values = VALUES.get(`${program} ${subcommand}`) ?? "";
  const letters: string[] = [];
  for (const letter of arg.slice(1)) {
    letters.push(`-${letter}`);
    if (values.includes(letter) || !/[A-Za-z]/.test(letter)) break;
  }
  return letters;
}

function hasOption(wanted: string, { options, operands }: Arguments, scope: string): boolean {
  const ways = ALIASES.get(scope)?.find((names) => names.includes(wanted)) ?? [wanted];
  return ways.some((way) =>
    way === "+"
      ? operands.slice(1).some((word) => word?.startsWith("+"))
      : options.some((option) =>
        isLike(way, option) || option.startsWith(`${way}=`) ||
        CUT_SHORT.has(way) && option.length >= MIN_CUT && way.startsWith(option)
      )
  );
}

/** Options that git takes cut short too, if no other one begins so. */
const CUT_SHORT = new Set(["--force", "--amend", "--hard", "--no-verify", "--delete", "--mirror"]);
const MIN_CUT = "--har".length;

/** Whether words stand among a command's own, in their order. */
function hasInOrder(wanted: readonly string[], given: Arguments, scope: string): boolean {
  const words = given.words.flatMap((word) =>
    word === undefined ? [] : scope === "git push" ? [word, refOf(word)] : [word]
  );
  let at = 0;
  return wanted.every((word) => {
    const found = words.findIndex((each, i) => i >= at && isLike(word, each));
    at = found + 1;
    return found >= 0;
  });
}

/** The branch that a refspec of `git push` changes. */
function refOf(word: string): string {
  return word.replace(/^\+/, "").replace(/^.*:/, "").replace(/^refs\/heads\//, "");
}

function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

/** Whether a word is the wanted one, in which `*` stands for anything. */
function isLike(wanted: string, word: ShellWord): boolean {
  if (word === undefined) return false;
  if (!wanted.includes("*")) return wanted === word;
  const body = wanted.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, ".*");
  return new RegExp(`^${body}$`, "s").test(word);
}

/** A tool call that is about to be made. */
export interface GuardedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The folder that it is made in. */
  readonly cwd: string;
}

/** Claude Code's own tools that change a file. */
const EDITS = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/;
const CHANGES = new RegExp(`^(?:${CHANGING_TOOLS})$`);
/** What names a file in the arguments of an MCP server's tool. */
const NAMES_FILE = /(?:^|_)(?:file_?)?(?:path|file|filename|source|destination|uri)s?(?:$|_)/;

/** What a call does, read once for all patterns: its commands, and the files that it changes; undefined for a tool that no guard is about. */
export function readCall({ tool, input, cwd }: GuardedCall) {
  if (tool === "Bash") {
    const { command } = input;
    return typeof command !== "string"
      ? undefined
      : { commands: commandsIn(command, cwd), files: [] };
  }
  const file = EDITS.test(tool) ? input["file_path"] ?? input["notebook_path"] : undefined;
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

/** Whether a call is what a pattern stops; paths are relative to the project's root. */
export function matchesCall(
  pattern: Pattern,
  { commands, files }: NonNullable<ReturnType<typeof readCall>>,
  root: string,
): boolean {
  return files.some((file) => "path" in pattern && matchesPath(pattern.path, file, root)) ||
    commands.some((command) => matchesCommand(pattern, command, root));
}

/** From which operand on a program changes the files that they name, and its option for it if it needs one. */
const CHANGING = new Map<string, number>(Object.entries(tables.changes));
const IN_PLACE = new Map<string, string>(Object.entries(tables.inPlace));

/** The files that a command changes for sure, absolute. */
function writtenBy({ program, args, writes, cwd }: SimpleCommand): string[] {
  if (cwd === undefined) return [];
  return [...writes, ...filesOf(program, args)].flatMap((file) =>
    file === undefined || file.startsWith("~") ? [] : resolve(cwd, file)
  );
}

function filesOf(program: string, args: readonly ShellWord[]): readonly ShellWord[] {
  const operands = args.filter((arg) => !arg?.startsWith("-"));
  const option = IN_PLACE.get(program);
  if (option !== undefined) {
    return args.some((arg) => new RegExp(option).test(arg ?? "")) ? operands : [];
  }
  if (program === "git") return /^(?:rm|mv)$/.test(operands[0] ?? "") ? operands.slice(1) : [];
  if (program === "dd") return args.flatMap((arg) => arg?.startsWith("of=") ? arg.slice(3) : []);
  return operands.slice(CHANGING.get(program) ?? Infinity);
}
