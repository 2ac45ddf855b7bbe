// What a guard stops: commands, written as a person would type them, and files. A pattern matches less rather than more:
// what it does not recognize for sure, it lets through.

import { isAbsolute, relative, resolve, sep } from "node:path";
import { shellWords } from "../../core/text/shell_words.ts";
import { ALIASES, GIT_VALUES, type Program, PROGRAMS, rowOf } from "./programs.ts";
import { commandsIn, type ShellWord, type SimpleCommand } from "./shell.ts";
import { writtenBy } from "./writes.ts";
import { CHANGING_TOOLS } from "../../../hooks/events.ts";
import { realPath } from "../../core/memory/project.ts";

/**
 * One pattern. A command matches if it has the same program, subcommand and options, and whatever else: `git push
 * --force` matches `git -C app push -fu origin main`. A path is read like a line of `.gitignore`, from the project's
 * root; it matches what changes such a file. `*` stands for anything in a word.
 */
export type Pattern = { readonly command: string } | { readonly path: string };

/** Where a call is made. */
export interface Location {
  /** The project's root. */
  readonly root: string;
}

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
  return "command" in pattern ? pattern.command : `changes of ${pattern.path}`;
}

/** Whether a command of a command line is what a pattern stops. */
export function matchesCommand(
  pattern: Pattern,
  command: SimpleCommand,
  where: Location,
): boolean {
  if ("path" in pattern) {
    return writtenBy(command).some((file) => matchesPath(pattern.path, file, where));
  }
  const [program, ...wanted] = shellWords(pattern.command);
  if (program !== command.program) return false;
  const given = argumentsOf(command);
  if (given.options.some((option) => HARMLESS.includes(option))) return false;
  const operands = wanted.filter((word) => !isOption(word));
  const subcommand = rowOf(PROGRAMS, program)?.isFlat ? [] : operands.slice(0, 1);
  if (subcommand.some((word) => !isLike(word, given.operands[0]))) return false;
  const scope = [program, ...subcommand].join(" ");
  return hasInOrder(operands.slice(subcommand.length), given, scope) &&
    wanted.filter(isOption).flatMap((option) =>
      lettersOf(option, {
        program,
        known: rowOf(PROGRAMS, program) ?? {},
        subcommand: subcommand[0],
      }) ??
        [option]
    ).every((option) => hasOption(option, given, scope));
}

/** No system has a longer path. */
const MAX_PATH = 4096;

/** Whether a file is one that a pattern protects. */
export function matchesPath(pattern: string, file: string, { root }: Location): boolean {
  const way = isAbsolute(pattern) ? file : relative(root, resolve(root, file)).split(sep).join("/");
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
interface Arguments {
  readonly program: string;
  /** Options as they are written, those of a cluster each by itself. */
  readonly options: readonly string[];
  /** What stands without a dash, before and after `--`; the subcommand first. */
  readonly operands: readonly ShellWord[];
  /** All words, values of options too. */
  readonly words: readonly ShellWord[];
}

function argumentsOf({ program, args }: SimpleCommand): Arguments {
  const known = rowOf(PROGRAMS, program) ?? {};
  const options: string[] = [], operands: ShellWord[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (arg === undefined || !isOption(arg)) operands.push(arg);
    else {
      const letters = lettersOf(arg, { program, known, subcommand: operands[0] });
      options.push(...letters ?? [arg]);
      const isBefore = operands.length === 0 && (known.values ?? []).includes(arg);
      const takesNext = letters !== undefined && program === "git" &&
        (GIT_VALUES[operands[0] ?? ""] ?? "").includes(letters.at(-1)!.slice(1)) &&
        arg.endsWith(letters.at(-1)!.slice(1));
      if (isBefore || takesNext) i++;
    }
  }
  return { program, options, operands, words: args };
}

/** The options of a cluster such as `-uf`, up to one that has a value; undefined if the word is none. */
function lettersOf(
  arg: string,
  { program, known, subcommand = "" }: {
    readonly program: string;
    readonly known: Program;
    readonly subcommand: string | undefined;
  },
): string[] | undefined {
  if (!known.clusters || !/^-[A-Za-z]/.test(arg)) return undefined;
  if (program === "git" && subcommand === "") return undefined; // -C and -c stand alone
  const values = program === "git" ? GIT_VALUES[subcommand] ?? "" : "";
  const letters: string[] = [];
  for (const letter of arg.slice(1)) {
    letters.push(`-${letter}`);
    if (values.includes(letter) || !/[A-Za-z]/.test(letter)) break;
  }
  return letters;
}

function hasOption(wanted: string, { options, operands }: Arguments, scope: string): boolean {
  const ways = (ALIASES[scope] ?? []).find((names) => names.includes(wanted)) ?? [wanted];
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
interface ReadCall {
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
