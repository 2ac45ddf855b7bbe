import bash from "./complete/memo.bash" with { type: "text" };
import fish from "./complete/memo.fish" with { type: "text" };
import powershell from "./complete/memo.ps1" with { type: "text" };
import zsh from "./complete/memo.zsh" with { type: "text" };
import { type Argument, type Command, Option } from "commander";
import { MemoError } from "../../errors.ts";
import { neutraliseLine } from "../../core/text/neutralise.ts";
import type { CliContext } from "./shared/command.ts";
import { out, say } from "./shared/output.ts";
import { basename } from "node:path";
import { STRATEGIES } from "../../../strategies/mod.ts";
import { journalDays, journalOf } from "../../core/journal/journal.ts";
import { listArchive, originalName } from "../../core/ledger/archive.ts";
import { memoryPaths } from "../../core/memory/folder.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { TYPES } from "../../core/memory/types.ts";
import { settingOf, SETTINGS } from "../../core/settings/table.ts";
import { OWN_SOURCES, SOURCES } from "../../features/import/sources.ts";
import { TOPICS } from "./help.ts";
import { alternatives, pathOf } from "./shared/usage.ts";

/**
 * The script of each shell, in display order. Each hands the typed words to memo and shows what comes back: no word is
 * evaluated, and no candidate is expanded, so neither a half-typed `$(…)` nor the name of a file can run anything.
 */
export const SCRIPTS = { bash, zsh, fish, powershell } as const;

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

const LOADING = `
To load it in every session, add a line to the shell's startup file:
  bash        ~/.bashrc                    source <(memo completions bash)
  zsh         ~/.zshrc, after compinit     source <(memo completions zsh)
  fish        ~/.config/fish/config.fish   memo completions fish | source
  powershell  $PROFILE                     memo completions powershell | Out-String | Invoke-Expression
`;

/** `memo completions`: prints the script that completes memo's command line in a shell. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[shell]", `One of ${SHELLS.map((shell) => `\`${shell}\``).join(", ")}`)
    .allowExcessArguments() // the words
    .addOption(new Option("--words", "Print candidates for the last word").hideHelp())
    .addOption(new Option("--next", "Complete a new word after the last one").hideHelp())
    .addHelpText("after", LOADING)
    .action(async (name: string | undefined, { words, next }: Record<string, boolean>) => {
      if (words) return await suggest(next ? [...command.args, ""] : command.args, context);
      const shell = SHELLS.find((each) => each === name);
      if (shell === undefined) {
        const what = name === undefined ? "Missing shell" : `Unknown shell \`${name}\``;
        throw new MemoError("usage", `${what}: pass ${alternatives(SHELLS)}`, {
          hint: "Run `memo completions --help` to see how to load the script",
        });
      }
      out(SCRIPTS[shell]);
      if (process.stdout.isTTY) say("\nRun `memo completions --help` to see how to load it");
    });
}

/** One candidate a line, with a tab before its description. */
async function suggest(words: readonly string[], context: CliContext): Promise<void> {
  for (const { value, about } of await complete(words, context)) {
    out(about ? `${value}\t${neutraliseLine(about)}\n` : `${value}\n`);
  }
}

/** The marker by which memo leaves an argument to the shell's own completion of paths. */
export const FILES = ":files";

/** A word that can stand at the cursor. */
interface Completable {
  readonly value: string;
  readonly about?: string | undefined;
}

/** The words that can stand in the place of the last of `words`, which may be empty; in display order. */
async function complete(words: readonly string[], context: CliContext): Promise<Completable[]> {
  const { buildProgram } = await import("./mod.ts");
  const program = await buildProgram(context, words[0]), word = words.at(-1) ?? "";
  const isHelp = words[0] === "help" && words.length > 1;
  const { command, given, awaits } = follow(program, words.slice(isHelp ? 1 : 0, -1));
  const values = (slot: Argument | Option | undefined, begun: string) => {
    if (slot === undefined) return [];
    const name = "flags" in slot ? /[<[]([\w-]+)/.exec(slot.flags)?.[1] ?? "" : slot.name();
    const known = VALUES[`${pathOf(command)} ${name}`] ?? VALUES[name];
    const choices = slot.argChoices?.map((value) => ({ value }));
    return matching(choices ?? known?.({ context, word: begun }) ?? [], begun);
  };
  if (isHelp) {
    const topics = command === program ? TOPICS.map(toCandidate) : [];
    return given > 0 ? [] : matching([...subcommands(command), ...topics], word);
  }
  const [, flag, begun = ""] = /^(--[\w-]+)=(.*)$/.exec(word) ?? [];
  if (flag !== undefined) {
    return values(optionNamed(command, flag), begun)
      .map(({ value, about }) => ({ value: `${flag}=${value}`, about }));
  }
  if (awaits !== undefined) return values(awaits, word);
  if (word.startsWith("-")) return matching(options(command), word);
  const all = command.registeredArguments;
  const argument = all[given] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  return [...given === 0 ? matching(subcommands(command), word) : [], ...values(argument, word)];
}

/** The command that the words before the cursor lead to, with the number of its arguments among them. */
function follow(program: Command, words: readonly string[]) {
  let command = program, given = 0, awaits: Option | undefined;
  for (const word of words) {
    if (awaits !== undefined) awaits = undefined;
    else if (word.startsWith("-")) {
      const option = optionNamed(command, word);
      if (option?.required || option?.optional) awaits = option;
    } else {
      const next = command.commands.find((each) => each.name() === word);
      if (next === undefined) given++;
      else [command, given] = [next, 0];
    }
  }
  return { command, given, awaits };
}

function optionNamed(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

function subcommands(command: Command): Completable[] {
  return command.createHelp().visibleCommands(command)
    .map((each) => ({ value: each.name(), about: each.description() }));
}

function options(command: Command): Completable[] {
  return command.createHelp().visibleOptions(command)
    .map(({ long, short, description }) => ({ value: long ?? short ?? "", about: description }));
}

/** Candidates that begin with the word and need no quotes in any shell: the names of files can be anything. */
function matching(candidates: readonly Completable[], word: string): Completable[] {
  return candidates.filter(({ value }) =>
    value === FILES || /^[\p{L}\p{N}\p{M}._:/=,@+-]+$/u.test(value) && value.startsWith(word)
  );
}

interface CompletionCursor {
  readonly context: CliContext;
  /** The word that is begun there. */
  readonly word: string;
}

const files = () => [{ value: FILES }];

/** What an argument or an option's value is, by the word between its brackets, which a command may precede. */
const VALUES: Readonly<Record<string, (cursor: CompletionCursor) => readonly Completable[]>> = {
  name: memories,
  names: memories,
  type: () => TYPE_NAMES.map(({ name, keeps }) => ({ value: name, about: keeps })),
  types: ({ word }) =>
    // a list, of which the last is completed
    TYPE_NAMES.map(({ name }) => ({ value: word.slice(0, word.lastIndexOf(",") + 1) + name })),
  key: keys,
  settings: assignments,
  "memo undo name[@time]": (cursor) => [...memories(cursor), ...archived(cursor)],
  "memo log name": (cursor) => [...memories(cursor), ...days(cursor)],
  "memo import source": () => [...SOURCES, ...OWN_SOURCES].map(toCandidate),
  ...Object.fromEntries(
    ["transcript", "file", "folder", "path", "old", "new"].map((name) => [name, files]),
  ),
};

const TYPE_NAMES = TYPES.filter(({ name }) => name !== "*");

function toCandidate({ name, summary }: { readonly name: string; readonly summary: string }) {
  return { value: name, about: summary };
}

function memories({ context: { place } }: CompletionCursor): Completable[] {
  return memoryFolders(place).flatMap((folder) => memoryPaths(folder).sort())
    .map((path) => ({ value: basename(path, ".md") }));
}

function archived({ context: { place } }: CompletionCursor): Completable[] {
  const names = memoryFolders(place).flatMap(listArchive)
    .map(({ path }) => basename(originalName(path), ".md"));
  return [...new Set(names)].map((value) => ({ value }));
}

function days({ context: { place } }: CompletionCursor): Completable[] {
  const journal = journalOf(memoryFolders(place));
  const found = journal === undefined ? [] : journalDays(journal.path).reverse();
  return found.map((value) => ({ value }));
}

function keys(): Completable[] {
  return SETTINGS.flatMap(({ key, summary }) => {
    const names = key.endsWith(".*") ? TYPE_NAMES.map(({ name }) => key.replace("*", name)) : [key];
    return names.map((value) => ({ value, about: summary }));
  });
}

/** `KEY=`, and once that stands there, `KEY=VALUE`. */
function assignments({ word }: CompletionCursor): Completable[] {
  const [key = "", value] = word.split("=", 2);
  if (value === undefined) return keys().map((each) => ({ ...each, value: `${each.value}=` }));
  const setting = settingOf(key);
  const values = setting?.key === "strategy.*"
    ? STRATEGIES.map(({ name }) => name)
    : setting?.key === "model"
    ? ["builtin"]
    : setting?.kind === "boolean"
    ? ["true", "false"]
    : setting?.choices ?? [];
  return values.map((each) => ({ value: `${key}=${each}` }));
}
