import type { Argument, Command, Option } from "commander";
import type { CliContext } from "../shared/command.ts";
import { TOPICS } from "../help/topics.ts";
import { pathOf } from "../shared/usage.ts";
import { BY_COMMAND, BY_PLACEHOLDER, type Candidate } from "./values.ts";

/** The words that can stand in the place of the last of `words`, which may be empty; in display order. */
export function complete(
  words: readonly string[],
  { program, context }: { readonly program: Command; readonly context: CliContext },
): Candidate[] {
  const word = words.at(-1) ?? "";
  if (words[0] === "help" && words.length > 1) return matching(explained(words, program), word);
  const { command, given, awaits } = follow(program, words.slice(0, -1));
  const inline = /^(--[\w-]+=)(.*)$/.exec(word);
  if (inline !== null) {
    const [, flag = "", begun = ""] = inline;
    const option = optionNamed(command, flag.slice(0, -1));
    return matching(valuesOf(option, { command, context, word: begun }), begun)
      .map(({ value, about }) => ({ value: flag + value, about }));
  }
  if (awaits !== undefined) return matching(valuesOf(awaits, { command, context, word }), word);
  if (word.startsWith("-")) return matching(options(command), word);
  const values = valuesOf(argumentAt(command, given), { command, context, word });
  return matching(given === 0 ? [...subcommands(command), ...values] : values, word);
}

/** What `memo help` explains behind the words so far. */
function explained(words: readonly string[], program: Command): Candidate[] {
  const { command, given } = follow(program, words.slice(1, -1));
  if (given > 0) return [];
  return [...subcommands(command), ...command === program ? TOPICS.map(topic) : []];
}

function topic({ name, summary }: typeof TOPICS[number]): Candidate {
  return { value: name, about: summary };
}

function follow(program: Command, words: readonly string[]) {
  let command = program;
  let given = 0;
  let awaits: Option | undefined;
  for (const word of words) {
    if (awaits !== undefined) awaits = undefined;
    else if (word.startsWith("-")) awaits = takesValue(optionNamed(command, word));
    else {
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

function takesValue(option: Option | undefined): Option | undefined {
  return option?.required || option?.optional ? option : undefined;
}

/** The argument at a position; the last one if it takes any number. */
function argumentAt({ registeredArguments: all }: Command, position: number): Argument | undefined {
  return all[position] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
}

function valuesOf(
  slot: Argument | Option | undefined,
  { command, context, word }: {
    readonly command: Command;
    readonly context: CliContext;
    readonly word: string;
  },
): readonly Candidate[] {
  if (slot === undefined) return [];
  if (slot.argChoices !== undefined) return slot.argChoices.map((value) => ({ value }));
  const placeholder = "flags" in slot ? /[<[]([\w-]+)/.exec(slot.flags)?.[1] : slot.name();
  const source = BY_COMMAND[pathOf(command)]?.[placeholder ?? ""] ??
    BY_PLACEHOLDER[placeholder ?? ""];
  return source?.(context, word) ?? [];
}

function subcommands(command: Command): Candidate[] {
  return command.createHelp().visibleCommands(command)
    .map((each) => ({ value: each.name(), about: each.description() }));
}

function options(command: Command): Candidate[] {
  return command.createHelp().visibleOptions(command)
    .map(({ long, short, description }) => ({ value: long ?? short ?? "", about: description }));
}

/** Those that the word begins, of those that need no quotes in any shell: the names of files can be anything. */
function matching(candidates: readonly Candidate[], word: string): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(":") || isPlain(value))
    .filter(({ value }) => value.startsWith(":") || value.startsWith(word));
}

function isPlain(value: string): boolean {
  return /^[\p{L}\p{N}\p{M}._:/=,@+-]+$/u.test(value);
}
