// What a memory names of the code that it is about: files, folders, symbols, commands. Only the words are looked at
// here; whether a work tree has such a thing is for `src/features/guard/` to find out.

import type { Memory } from "./memory.ts";

export type MentionKind = "file" | "folder" | "symbol" | "command";

/** Something that a memory names. */
export interface Mention {
  readonly kind: MentionKind;
  /** A path with `/`, a file's name, an identifier, or the first words of a command. */
  readonly text: string;
  /** It stands in the name or the description: the memory is about it. */
  readonly isTitle: boolean;
}

/** Maximum mentions of a kind: a memory that names more is a list, and about none of them. */
const MOST = 16;
/** Code in a text. */
const CODE = /`([^`\n]{1,160})`/g;
/** What may be a path or a file's name; an address is read as one piece too, and is none. */
const PIECE = /[\w@~.+$:/\\[\]-]+/g;
const ADDRESS = /:\/\/|^www\.|@.*[.:]/;
const FILE_NAME = /^[\w@+$[\]-][\w@.+$[\]-]*\.[A-Za-z][A-Za-z0-9]{0,9}$|^\.[a-z][\w.-]+$/;
/** Files that have no extension. */
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
/** Code that begins with a program. */
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
  const [first] = FIRST_WORD.exec(name) ?? [];
  if (first !== undefined) add("symbol", first, true);
  for (const [text, isTitle] of [[`${name}\n${description}`, true], [body, false]] as const) {
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

/** The path or the file's name that a piece of a text is. */
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

/** The identifiers that a piece of code names. */
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
