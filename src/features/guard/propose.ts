// From a rule's own words to a guard: what it forbids, as patterns. What is not said plainly is not proposed.

import type { Memory } from "../../core/memory/memory.ts";
import { isMarked } from "../../core/memory/provenance.ts";
import { anyOf, FORBIDS, WORD_END } from "../../core/text/rule.ts";
import { formatPattern, isPattern, type Pattern } from "./pattern.ts";
import commands from "./commands.json" with { type: "json" };
import words from "./words.json" with { type: "json" };

/** What a rule would be as a guard. */
export interface GuardProposal {
  readonly patterns: readonly Pattern[];
  /** The rule has a condition ("unless …"), which the patterns do not see: memo does not offer it by itself. */
  readonly isConditional: boolean;
}

/** A stretch of a rule, and whether it says what is forbidden. */
interface RuleStretch {
  readonly text: string;
  readonly isForbidden: boolean;
}

/** Whole words, and those of languages without spaces. */
const whole = ({ words: body, glued }: { readonly words: string; readonly glued: string }) =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${body})${WORD_END}|${glued}`, "iu");

/** What says of a file that it is not to be changed, without a word for changing it. */
const FROZEN = new RegExp(words.frozen.join("|"), "iu");

/** What asks for something. */
const WANTS = new RegExp(anyOf("always", "use", "wanted"), "iu");

/** `pnpm instead of npm`: what follows is not wanted … */
const INSTEAD_OF = whole(words.insteadOf);
/** … or what precedes. */
const BUT = /ではなく|じゃなく|でなく|の代わりに|대신|yerine/iu;

/** What changes a file. */
const CHANGES_FILES = new RegExp(words.changesFiles.join("|"), "iu");

/** What makes a rule hold at times only, which a pattern cannot see. */
const CONDITION = whole(words.condition);

/** What has a name of its own, in words, and the commands that do it. */
const CONCEPTS = words.concepts.map(({ says, commands }) => ({
  says: new RegExp(says, "iu"),
  commands,
}));

/** `push to main`. */
const PUSH_TO =
  /push(?:e|en|es|ing|ed)?\b[^.;]{0,20}?\b(?:to|on|onto|auf|nach|a|al|sur|vers|para|no|na|in|su|naar|till|do|в)\s+[`“"']?(main|master|develop|trunk|production|release)\b|(?:往|向|到)\s*[`“"']?(main|master|develop)[^。]*(?:推|push)|[`“"']?(main|master|develop)[`”"']?\s*(?:に|へ)[^。]*(?:push|プッシュ)/iu;

/** What an option alone stands for. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = words.options;

/** The subcommands of programs, and of subcommands, that a rule may be about. */
const SUBCOMMANDS: Readonly<Record<string, string>> = {
  ...commands.subcommands,
  ...commands.second,
};

const list = (words: string) => words.split(" ");
/** Programs that a rule may name without quotation marks. */
const named = new Set(list(commands.named));
/** With those whose name is a word too, or too short to tell: in quotation marks, or with a subcommand. */
const PROGRAMS = named.union(new Set(list(commands.quoted)));
/** Of these every second command is one: a rule is about a subcommand of theirs. */
const NEVER_ALONE = new Set(list(commands.neverAlone));

/** Where one statement ends; a point inside of a name is none. What may separate a list is kept. */
const END = /([,，、])|[;:；：。．!?！？—–\n()（）]|\.(?=\s|$)|\s-\s|…/u;
const LIST_SIGNS: readonly string[] = [",", "，", "、"];
/** A code span, kept whole while the text is cut. */
const CODE = /`([^`\n]{1,120})`/g;
const PLACE = /\u{e000}(\d+)\u{e001}/gu;
/** A longer rule says when and why; what it is about stands at its beginning. */
const MAX_CHARS = 600;
/** A statement without a word of its own goes on with the one before, if it is a mere list. */
const LIST_WORDS = 4;
const MOST = 6;

/** The guard that a rule proposes by its words; undefined if it forbids no command and no file that can be told. */
export function proposeGuard(
  { name, body }: Pick<Memory, "name" | "body">,
): GuardProposal | undefined {
  const [rule = ""] = body.trim().split(/\n\s*\n/);
  const codes: string[] = [];
  const text = `${name}\n${rule}`.slice(0, MAX_CHARS).replace(/\*\*/g, "").replace(
    CODE,
    (_, code) => {
      codes.push(code.trim());
      return `\u{e000}${codes.length - 1}\u{e001}`;
    },
  );
  const stretches = stretchesOf(text);
  const found = new Map<string, Pattern>();
  for (const { text, isForbidden } of stretches) {
    if (!isForbidden) continue;
    for (const pattern of patternsIn(text, codes)) found.set(formatPattern(pattern), pattern);
  }
  const wanted = stretches.filter(({ text, isForbidden }) => !isForbidden && WANTS.test(text))
    .map(({ text }) => text.replace(PLACE, (_, i) => codes[Number(i)]!)).join("\n");
  const patterns = [...found.values()].filter((pattern) =>
    isPattern(pattern) && !("command" in pattern && isWanted(pattern.command, wanted))
  ).slice(0, MOST);
  if (patterns.length === 0) return undefined;
  // A command in a certain place ("`rm -rf` below /data") is guarded everywhere.
  const isPlaced = patterns.some((pattern) => "command" in pattern) &&
    stretches.some(({ text, isForbidden }) =>
      isForbidden && (pathsIn(text).length > 0 || ABSOLUTE.test(text))
    );
  return { patterns, isConditional: isPlaced || CONDITION.test(text) };
}

/** Whether memo offers a rule as a guard by itself. */
export function isOffered(memory: Pick<Memory, "name" | "body" | "tags">): boolean {
  return !isMarked(memory) && proposeGuard(memory)?.isConditional === false;
}

/** Cuts a rule into what it forbids and what it does not. */
function stretchesOf(text: string): RuleStretch[] {
  const stretches: RuleStretch[] = [];
  let isListed = false;
  for (const part of text.split(END)) {
    if (part === undefined) continue;
    if (LIST_SIGNS.includes(part)) isListed = true;
    else if (part.trim() !== "") {
      stretches.push(...polarity(part, isListed && (stretches.at(-1)?.isForbidden ?? false)));
      isListed = false;
    }
  }
  return stretches;
}

function polarity(part: string, last: boolean): RuleStretch[] {
  const [before, after] = around(part, INSTEAD_OF);
  if (after !== undefined) {
    const [, first = "", rest = ""] =
      /^(\s*\S+(?:\s+(?:or|oder|o|ou|of|або|или|と|や)\s+\S+)*)(.*)$/su
        .exec(after) ?? [];
    return [allowed(before), forbidden(isNamed(first) ? first : after), allowed(rest)];
  }
  const [unwanted, wanted] = around(part, BUT);
  if (wanted !== undefined) return [forbidden(unwanted), allowed(wanted)];
  if (FROZEN.test(part)) return [forbidden(part)];
  const no = FORBIDS.exec(part);
  if (no === null) {
    const words = part.trim().split(/\s+/).length;
    return [{ text: part, isForbidden: last && words <= LIST_WORDS && !WANTS.test(part) }];
  }
  const lead = part.slice(0, no.index); // "use pnpm and never npm"
  return WANTS.test(lead) ? [allowed(lead), forbidden(part.slice(no.index))] : [forbidden(part)];
}

/** Whether the word after "instead of" is the thing itself, and not the beginning of a description. */
function isNamed(words: string): boolean {
  return words.trim().split(/\s+/).some((word) =>
    /\u{e000}/u.test(word) || PROGRAMS.has(bare(word))
  );
}

function around(text: string, pattern: RegExp): [before: string, after?: string] {
  const found = pattern.exec(text);
  if (found === null) return [text];
  return [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

const forbidden = (text: string): RuleStretch => ({ text, isForbidden: true });
const allowed = (text: string): RuleStretch => ({ text, isForbidden: false });

/** A rule about how commands are joined is about neither of them. */
const PIPED = /\bpip(?:ed|ing)\b|\|/i;

function patternsIn(text: string, codes: readonly string[]): Pattern[] {
  if (PIPED.test(text)) return [];
  const changes = [CHANGES_FILES, FROZEN].some((words) => words.test(text.replace(PLACE, " ")));
  const quoted = [...text.matchAll(PLACE)].flatMap(([, i]) => fromCode(codes[Number(i)]!, changes));
  const plain = text.replace(PLACE, " ");
  const paths = changes ? pathsIn(plain) : [];
  if (quoted.length > 0 || paths.length > 0) return [...quoted, ...paths];
  const branch = PUSH_TO.exec(text.replace(PLACE, (_, i) => codes[Number(i)]!));
  const concepts = CONCEPTS.filter(({ says }) => says.test(plain)).flatMap(({ commands }) =>
    commands
  );
  if (branch !== null) {
    const ref = branch.slice(1).find((name) => name !== undefined)!.toLowerCase();
    const pushes = concepts.filter((command) => command.startsWith("git push"));
    return (pushes.length > 0 ? pushes : ["git push"]).map((command) => ({
      command: `${command} ${ref}`,
    }));
  }
  if (concepts.length > 0) return concepts.map((command) => ({ command }));
  return commandsIn(plain).map((command) => ({ command }));
}

/** A code span: a command, an option, or with a word for changing a file a path. */
function fromCode(code: string, changes: boolean): Pattern[] {
  const words = code.replace(/\s+(?:\.\.\.|…|<.*|\[.*|\$.*)$/u, "").split(/\s+/);
  const [first = ""] = words;
  if (OPTIONS[code] !== undefined) return OPTIONS[code].map((command) => ({ command }));
  if (PROGRAMS.has(first) && (words.length > 1 || !NEVER_ALONE.has(first))) {
    return [{ command: words.join(" ") }];
  }
  const isLine = words.length > 1 && words.length <= 6 && /^[a-z][\w.-]+$/.test(first) &&
    words.every((word) => /^[\w.:@=/*+-]+$/.test(word)) && !CODE_WORDS.test(first);
  if (isLine) return [{ command: words.join(" ") }];
  return changes && words.length === 1 && isPathLike(first) ? [{ path: first }] : [];
}

/** What code begins with, and no command. */
const CODE_WORDS =
  /^(?:export|import|const|let|var|class|function|return|select|insert|update|delete|new|throw|async|await|def|type|interface|if|for|while|public|private|static|void|typeof|from|print|raise|try|catch|use|require|include|package|func|fn|struct|enum|extends|implements)$/;

function isPathLike(word: string): boolean {
  return /^[\w.@*/-]+$/.test(word) &&
    (/\//.test(word) || /\*/.test(word) || /^\.\w/.test(word) || FILE.test(word));
}

const FILE =
  /^[\w.-]+\.(?:[cm]?[jt]sx?|go|py|rs|rb|java|kt|cs|php|sql|json|ya?ml|toml|lock|md|css|html|sh|env|proto|ini|cfg)$/;
/** A path without quotation marks: it says so by its end, a star or an ending. */
const PLAIN_PATH =
  /(?<![\w/.@-])(?:[\w.@-]+\/)+(?:[\w.*@-]*)|(?<![\w/.@-])[\w-]*\.[\w.]*\w(?![\w/])/g;
/** Words with a stroke between them. */
const PAIRS =
  /^(?:and|he|yes|on|read|true|input|client|user|start|up|tcp|ci|ui|i|a|w|n|und|y|et|o)\/\w+$/i;
/** A place on the machine. */
const ABSOLUTE = /(?<![\w/.])\/[\w.-]+\//;
/** `the folder gen`, `the gen folder`. */
const FOLDER =
  /(?<![\w/.-])([\w.-]{2,40})[ -]?(?:folder|director(?:y|ies)|dir\b|verzeichnis|ordner|目录|目錄|ディレクトリ|フォルダ|폴더|디렉터리)|(?:folder|directory|verzeichnis|ordner|carpeta|directorio|dossier|répertoire|pasta|diretório|cartella|map|katalog|папк\p{L}|каталог\p{L}?)\s+([\w.-]{2,40})(?![\w./-])/giu;
/** Words beside "folder" that are no names. */
const ARTICLES =
  /^(?:the|this|that|any|a|der|das|den|im|in|la|el|le|il|o|another|other|whole|entire|same|temp)$/i;

function pathsIn(text: string): Pattern[] {
  const paths = [...text.matchAll(PLAIN_PATH)].map(([path]) => path.replace(/\.$/, ""))
    .filter((path) =>
      path.includes("/")
        ? !PAIRS.test(path)
        : isPathLike(path) && (FILE.test(path) || path.startsWith("."))
    );
  const folders = [...text.matchAll(FOLDER)].map(([, before, after]) => before ?? after!)
    .filter((name) => !ARTICLES.test(name)).map((name) => `${name}/`);
  return [...new Set([...paths, ...folders])].map((path) => ({ path }));
}

/** The commands in plain words: programs that are named, each with its subcommand. */
function commandsIn(text: string): string[] {
  const words = text.split(/[\s"'“”„«»]+/).map(bare).filter((word) => word !== "");
  const found: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const command = commandAt(words.slice(i));
    if (command === undefined) continue;
    found.push(command);
    i += command.split(" ").length - 1;
  }
  // Scripts without spaces: `不要用npm`.
  const glued = text.match(
    /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[a-z][\w-]*|[a-z][\w-]*(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/gu,
  ) ?? [];
  return [...new Set([...found, ...glued.flatMap((word) => commandAt([word]) ?? [])])];
}

/** The command at the beginning of some words of a sentence: a program with its subcommand and options. */
function commandAt(words: readonly string[]): string | undefined {
  const [program = "", ...rest] = words;
  if (!PROGRAMS.has(program)) return undefined;
  const taken = [program];
  for (const word of rest) {
    const isOption = /^--?[a-z][\w-]*$/i.test(word);
    const known = SUBCOMMANDS[taken.join(" ")];
    const isMode = taken.length === 1 && program === "chmod" && /^[0-7]{3,4}$/.test(word);
    if (!isOption && !isMode && !list(known ?? "").includes(word)) break;
    taken.push(word);
  }
  if (taken.length > 1) return taken.join(" ");
  return named.has(program) && !NEVER_ALONE.has(program) ? program : undefined;
}

/** A word without what a sentence puts around it. */
function bare(word: string): string {
  return word.replace(/^[^\w.-]+|[^\w/*-]+$/gu, "");
}

/** Whether a rule names a command as what to do: `use git push --force-with-lease instead`. */
function isWanted(command: string, wanted: string): boolean {
  const option = /--force-with-lease/.exec(command)?.[0];
  const plain = (option ?? command).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${plain}(?![\\w-]| -)`, "u").test(wanted);
}
