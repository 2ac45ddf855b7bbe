// What a memory is called: its short triggers and tags, and a short title, as a prompt may have them in a sentence; and
// its whole title and path, as a command may name it by some of their words.

import { relative } from "node:path";
import { analyze } from "../text/analyze.ts";
import { folded } from "../text/nearest.ts";
import { isStopword } from "../text/language/stopwords.ts";
import { globsIn, withoutGlobs } from "./applies.ts";
import { isMarked, withoutMarks } from "./provenance.ts";
import type { Memory, MemoryFile, MemoryFolder } from "./memory.ts";
import { createHash } from "node:crypto";
import { appendLines, keepNewest, readLines } from "../files/jsonl.ts";
import { withSlashes } from "../files/slashes.ts";

/** A longer trigger is an example of a prompt, and a longer title a sentence. */
const MOST_WORDS = 3;
/** In a text of more words one plain word may not be what it is about. */
const FEW_WORDS = 16;
/** A word as it is written; `node.js` is one, and neither `js` nor the `TS` of `TSLint` is. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:[_.][\p{L}\p{N}\p{M}]+)*/gu;
/** What a sentence does not have by chance: a capital that does not begin it, a figure, a joint. */
const PARTICULAR = /(?<=.)\p{Lu}|\p{N}|[_.]/u;

/** The names of a memory, each as its terms. */
export function namesOf(
  { name, triggers, tags }: Pick<Memory, "name" | "triggers" | "tags">,
): string[] {
  const all = [name, ...triggers, ...withoutMarks(tags)].map(wordsOf);
  const names = all.filter((words) => words.length <= MOST_WORDS && says(words));
  return [...new Set(names.map((words) => words.map(({ term }) => term).join(" ")))];
}

/** A name as it is compared. */
export function fold(text: string): string {
  return folded(text).replace(/\s+/g, " ").trim();
}

/** Where the words of a name are looked for. */
export function labelOf(
  { name, path }: Pick<MemoryFile, "name" | "path">,
  folder: Pick<MemoryFolder, "path">,
): string {
  return `${fold(name)}\n${fold(withSlashes(relative(folder.path, path)))}`;
}

/** Every run of words in a text that may be a name, and whether it then is what was meant. */
export function runsIn(text: string): ReadonlyMap<string, boolean> {
  const words = wordsOf(text);
  const found = new Map<string, boolean>();
  for (const i of words.keys()) {
    for (let end = i + 1; end <= i + MOST_WORDS; end++) {
      const run = words.slice(i, end);
      if (!says(run)) continue;
      const name = run.map(({ term }) => term).join(" ");
      const isSure = words.length <= FEW_WORDS || run.length > 1 || run[0]!.isOwn;
      found.set(name, isSure || found.get(name) === true);
    }
  }
  return found;
}

interface NameWord {
  readonly term: string;
  /** Whether it is written as a name is. */
  readonly isOwn: boolean;
}

function wordsOf(text: string): NameWord[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const isFirst = /(?:^|[.!?:]\s+|\n\s*)$/.test(text.slice(Math.max(0, index - 4), index));
    const isOwn = PARTICULAR.test(isFirst ? word : ` ${word}`);
    const terms = analyze(word);
    // The first of a compound's terms is the whole of it; a script without spaces has pairs.
    return (SPACELESS.test(word) ? terms : terms.slice(0, 1)).map((term) => ({ term, isOwn }));
  });
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whether words say more than a function word or a number does. */
function says(words: readonly NameWord[]): boolean {
  return words.some(({ term }) => term.length > 1 && !isStopword(term) && !/^\p{N}+$/u.test(term));
}

// What a memory names of the code that it is about: files, folders, symbols, commands. Only the words are looked at
// here; whether a work tree has such a thing is for `src/features/guard/` to find out.
export type MentionKind = "file" | "folder" | "symbol" | "command" | "glob";

/** Something that a memory names. */
export interface Mention {
  readonly kind: MentionKind;
  /** A path with `/`, a file's name, an identifier, the first words of a command, or what the memory is for. */
  readonly text: string;
  /** It stands in the name or the description: the memory is about it. */
  readonly isTitle: boolean;
}

/** Maximum mentions of a kind: a memory that names more is a list, and about none of them. */
const MOST = 16;
const CODE = /`([^`\n]{1,160})`/g;
/** What may be a path or a file's name; an address is read as one piece too, and is none. */
const PIECE = /[\w@~.+$:/\\[\]-]+/g;
const ADDRESS = /:\/\/|^www\.|@.*[.:]/;
const FILE_NAME = /^[\w@+$[\]-][\w@.+$[\]-]*\.[A-Za-z][A-Za-z0-9]{0,9}$|^\.[a-z][\w.-]+$/;
const NAMELESS =
  /^(?:Makefile|Dockerfile|Containerfile|Justfile|justfile|Rakefile|Gemfile|Procfile|Vagrantfile|Jenkinsfile|Brewfile|CODEOWNERS)$/;
/** A line or a range of lines behind a file's name. */
const LINE = /(?::\d+){1,2}(?:-\d+)?$|#L\d+(?:-L?\d+)?$/;
/** Identifiers that no sentence has: with a hump, an underscore, or called. */
const IDENTIFIER =
  /(?<![\w$@/.-])(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z][A-Za-z0-9]*_\w*[A-Za-z0-9]|[A-Za-z_$][\w$]{2,}(?=\(\)))/g;
/** Code that is a name, perhaps called or with what it belongs to. */
const NAME =
  /^(?:new |@|#|<)?([A-Za-z_$][\w$]*(?:(?:\.|::|#|->|\?\.)[A-Za-z_$][\w$]*)*)(\([^)]*\)?)?\/?>?$/;
/** A file's name, and no member of something. */
const CODE_FILE =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|html?|css|py|rs|go|java|kt|swift|rb|php|[ch](?:pp)?|cs|sh|sql|txt|lock|xml)$/;
const MIN_SYMBOL = 4;
/** A title that begins in lower case begins with a name of the code. */
const FIRST_WORD = /^[a-z][A-Za-z0-9]{5,}(?=\s)/;
const COMMAND = /^(?:\$ |sudo )?((?:\.\/)?[a-z][\w./-]*)((?: +[\w:./@=-]+)*)/;
const COMMAND_WORDS = 3;

/** What a memory names, without repetitions, in the order of its text. */
export function mentionsOf(
  { name, description, body }: Pick<Memory, "name" | "description" | "body">,
): Mention[] {
  const found = new Map<string, Mention>();
  const counts = new Map<MentionKind, number>();
  const add = (kind: MentionKind, text: string, isTitle: boolean) => {
    const key = `${kind} ${text}`;
    const count = counts.get(kind) ?? 0;
    if (found.has(key) || count >= MOST) return;
    counts.set(kind, count + 1);
    found.set(key, { kind, text, isTitle });
  };
  for (const glob of globsIn(body)) add("glob", glob, true);
  const [first] = FIRST_WORD.exec(name) ?? [];
  if (first !== undefined) add("symbol", first, true);
  const texts = [[`${name}\n${description}`, true], [withoutGlobs(body), false]] as const;
  for (const [text, isTitle] of texts) {
    for (const [piece] of text.matchAll(PIECE)) {
      const path = pathIn(piece);
      if (path !== undefined) add(path.kind, path.text, isTitle);
    }
    for (const [, code] of text.matchAll(CODE)) {
      const symbols = symbolsIn(code!.trim());
      for (const symbol of symbols) add("symbol", symbol, isTitle);
      const command = symbols.length > 0 ? undefined : commandIn(code!.trim());
      if (command !== undefined) add("command", command, isTitle);
    }
    for (const [symbol] of text.replace(CODE, " ").matchAll(IDENTIFIER)) {
      if (symbol.length >= MIN_SYMBOL) add("symbol", symbol, isTitle);
    }
  }
  return [...found.values()];
}

function pathIn(piece: string): Pick<Mention, "kind" | "text"> | undefined {
  if (ADDRESS.test(piece) && !piece.startsWith("@")) return undefined;
  const path = piece.replaceAll("\\", "/").replace(/[.,:;]+$/, "").replace(LINE, "")
    .replace(/^(?:\.\/)+/, "");
  const names = path.split("/").filter((name) => name !== "");
  const last = names.at(-1) ?? "";
  if (names.length === 0 || names.includes("..") || !/\p{L}/u.test(last)) return undefined;
  const isFile = !path.endsWith("/") && (FILE_NAME.test(last) || NAMELESS.test(last));
  if (isFile) return { kind: "file", text: path };
  return path.includes("/") && last.length > 1
    ? { kind: "folder", text: path.replace(/\/+$/, "") }
    : undefined;
}

function symbolsIn(code: string): string[] {
  const [, chain, call] = NAME.exec(code) ?? [];
  if (chain === undefined) return [...code.matchAll(IDENTIFIER)].map(([symbol]) => symbol);
  const parts = chain.split(/\W+/).filter((part) => part.length >= MIN_SYMBOL);
  // A word in lower case alone may be anything: an option, a package, a branch.
  const isPlain = call === undefined && /^[a-z]+$/.test(chain);
  return isPlain || CODE_FILE.test(code) ? [] : parts;
}

/** The program and its first words, without options. */
function commandIn(code: string): string | undefined {
  const [, program, more = ""] = COMMAND.exec(code) ?? [];
  if (program === undefined || more === "") return undefined;
  const words = [program];
  for (const word of more.trim().split(/ +/)) {
    if (word.startsWith("-") || words.length === COMMAND_WORDS) break;
    words.push(word);
  }
  return words.join(" ");
}

// Triggers that a language model has suggested for memories with few of their own. They are state: no file of the
// user's is rewritten for them, and a memory whose text changes loses them.
/**
 * A memory with as many triggers of its own needs no others. Extraction is asked for more; what is added by hand or by
 * an editor has mostly none (README of the bench).
 */
export const ENOUGH_TRIGGERS = 5;

interface Suggestion {
  /** `keyOf` the memory. */
  readonly key: string;
  readonly triggers: readonly string[];
  /** ISO 8601. */
  readonly at: string;
  /** Whether the model's answer was unusable, so that the memory is asked about again. */
  readonly failed?: boolean;
}

/** After this many unusable answers a memory is not asked about again by itself. */
const MOST_FAILURES = 3;

/** Hashes a memory's content: another text needs other triggers. */
export function keyOf({ name, description, body }: Pick<Memory, "name" | "description" | "body">) {
  const said = JSON.stringify([name, description, body]);
  return createHash("sha256").update(said).digest("hex").slice(0, 32);
}

/**
 * A memory's own triggers and those that were suggested for it. What is not the user's word has none: with a trigger, a
 * page's author would choose the prompts that it comes with.
 */
export function allTriggers(
  { triggers, tags }: Pick<Memory, "triggers" | "tags">,
  suggested: readonly string[] | undefined,
): readonly string[] {
  if (isMarked({ tags })) return [];
  return suggested === undefined ? triggers : [...new Set([...triggers, ...suggested])];
}

/** Every suggestion in the file, the newest for each key; damaged lines are skipped. */
export function readSuggestions(path: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { key, triggers, failed } of read(path)) {
    if (!failed) found.set(key, triggers.filter((trigger) => typeof trigger === "string"));
  }
  return found;
}

/** The keys of memories that too many answers about were unusable. */
export function skippedAfterFailures(path: string): Set<string> {
  const failures = new Map<string, number>();
  for (const { key, failed } of read(path)) {
    if (failed) failures.set(key, (failures.get(key) ?? 0) + 1);
  }
  const keys = [...failures].filter(([, times]) => times >= MOST_FAILURES).map(([key]) => key);
  return new Set(keys);
}

/** Of a longer file the newest stay, those of some 15,000 contents: a memory that has lost its own is asked about again. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Appends suggestions to the file, which only its owner can read. */
export function appendSuggestions(path: string, suggestions: readonly Suggestion[]): void {
  appendLines(path, suggestions, Infinity);
  keepNewest(path, (line) => /"key":"(\w+)"/.exec(line)?.[1] ?? "", MAX_BYTES);
}

function read(path: string): Suggestion[] {
  return readLines(path).flatMap((line) => {
    const { key, triggers, at = "", failed } = (line ?? {}) as Partial<Suggestion>;
    const isSound = typeof key === "string" && Array.isArray(triggers);
    return isSound ? [{ key, triggers, at, failed: failed === true }] : [];
  });
}
