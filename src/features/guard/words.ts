// The words by which a rule says what it forbids and what it wants, and the programs it may name. A rule is read for a
// proposal alone: a person sees it, with what it would have stopped, before anything is guarded.

import { anyOf, WORD_END } from "../../core/text/rule.ts";
import commands from "./commands.json" with { type: "json" };
import words from "./words.json" with { type: "json" };

/** Whole words, and those of languages without spaces. */
const whole = ({ words: body, glued }: { readonly words: string; readonly glued: string }) =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${body})${WORD_END}|${glued}`, "iu");

/** What says of a file that it is not to be changed, without a word for changing it. */
export const FROZEN = new RegExp(words.frozen.join("|"), "iu");

/** What asks for something. */
export const WANTS = new RegExp(anyOf("always", "use", "wanted"), "iu");

/** `pnpm instead of npm`: what follows is not wanted … */
export const INSTEAD_OF = whole(words.insteadOf);
/** … or what precedes. */
export const BUT = /ではなく|じゃなく|でなく|の代わりに|대신|yerine/iu;

/** What changes a file. */
export const CHANGES_FILES = new RegExp(words.changesFiles.join("|"), "iu");

/** What makes a rule hold at times only, which a pattern cannot see. */
export const CONDITION = whole(words.condition);

/** What has a name of its own, in words, and the commands that do it. */
export const CONCEPTS = words.concepts.map(({ says, commands }) => ({
  says: new RegExp(says, "iu"),
  commands,
}));

/** `push to main`. */
export const PUSH_TO =
  /push(?:e|en|es|ing|ed)?\b[^.;]{0,20}?\b(?:to|on|onto|auf|nach|a|al|sur|vers|para|no|na|in|su|naar|till|do|в)\s+[`“"']?(main|master|develop|trunk|production|release)\b|(?:往|向|到)\s*[`“"']?(main|master|develop)[^。]*(?:推|push)|[`“"']?(main|master|develop)[`”"']?\s*(?:に|へ)[^。]*(?:push|プッシュ)/iu;

/** What an option alone stands for. */
export const OPTIONS: Readonly<Record<string, readonly string[]>> = words.options;

/** The subcommands of programs, and of subcommands, that a rule may be about. */
const SUBCOMMANDS: Readonly<Record<string, string>> = commands.subcommands;
const SECOND: Readonly<Record<string, string>> = commands.second;

const list = (words: string) => words.split(" ");
/** Programs that a rule may name without quotation marks. */
const named = new Set(list(commands.named));
/** With those whose name is a word too, or too short to tell: in quotation marks, or with a subcommand. */
const all = named.union(new Set(list(commands.quoted)));
/** Of these every second command is one: a rule is about a subcommand of theirs. */
const neverAlone = new Set(list(commands.neverAlone));

/** Whether a word is a program that memo knows. */
export function isProgram(word: string): boolean {
  return all.has(word);
}

/** Whether a rule about a program as a whole can be a guard. */
export function mayStandAlone(program: string): boolean {
  return !neverAlone.has(program);
}

/** The command at the beginning of some words of a sentence: a program with its subcommand and options. */
export function commandAt(words: readonly string[]): string | undefined {
  const [program = "", ...rest] = words;
  if (!all.has(program)) return undefined;
  const taken = [program];
  for (const word of rest) {
    const isOption = /^--?[a-z][\w-]*$/i.test(word);
    const known = taken.length === 1
      ? SUBCOMMANDS[program]
      : taken.length === 2
      ? SECOND[taken.join(" ")]
      : undefined;
    const isMode = taken.length === 1 && program === "chmod" && /^[0-7]{3,4}$/.test(word);
    if (!isOption && !isMode && !list(known ?? "").includes(word)) break;
    taken.push(word);
  }
  if (taken.length > 1) return taken.join(" ");
  return named.has(program) && mayStandAlone(program) ? program : undefined;
}
