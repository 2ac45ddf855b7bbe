// What a note may name of a tree, by its words alone: the trees decide what of it is meant.

import type { Memory } from "../../core/memory/memory.ts";
import { mentionsOf } from "../../core/memory/names.ts";
import { isStopword } from "../../core/text/language/stopwords.ts";

/** The words of a note. */
export type NoteWords = Pick<Memory, "name" | "description" | "body">;

/** A call of a script, and the folder of its manifest, where the note names that behind the call. */
const CALL =
  /\b((?:(?:npm|pnpm|yarn|bun)(?: run(?:-script)?)?|deno task|go-task|task|make|just|cargo make|(?:poetry|uv|hatch|pdm|mise) run|composer(?: run)?|rake) +([A-Za-z][\w:.@/-]*[\w@-]|[A-Za-z]))[.:/]*(?:`?,? \(?in `?([\w.-]+(?:\/[\w.-]+)*)\/)?/g;
const CODE = /`([^`\n]{1,160})`/g;
/** The first word of a sentence that begins in lower case is a name. */
const LEADING = /(?:^|[.;:!?]\s+|\n)([a-z][\w-]{3,})(?=\s)/g;
const PACKAGE = /@?[A-Za-z][\w.-]*(?:\/[\w.-]+)*/g;
/** Words before a package, and behind one. */
const BEFORE =
  /(?:\b(?:with|use|uses|using|via|through|library|package|dependency|module|crate|gem|on|by|called|from)|["'(])\s*$/i;
const BEHIND =
  /^["')]?\s+(?:[~^>=<]*v?\d|version|library|package|dependency|crate|gem|module|plugin|quirk)/i;
const FIGURES = /[^.!?;\n]*\d(?:[^.!?;\n]|\.\d)*/g,
  PLAIN = /(?<![\w$./-])[A-Za-z]{3,20}(?![\w$/-])/g;
const MOST_KEYS = 24;
const ENVIRONMENT = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g;

/** What a note may name. */
export type NamedThings = ReturnType<typeof namedIn>;

/** What a note may name. */
export function namedIn(note: NoteWords) {
  const text = [note.name, note.description, note.body].join("\n");
  const mentions = Map.groupBy(mentionsOf(note), ({ kind }) => kind);
  const textsOf = (kind: "file" | "folder" | "symbol") =>
    mentions.get(kind)?.map(({ text }) => text) ?? [];
  const folders = textsOf("folder").map((path) => path.includes("/") ? path : path + "/");
  const paths = [...textsOf("file"), ...folders];
  const groups = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, group]) => group!);
  const codes = groups(CODE).map((code) => code.trim()), leading = groups(LEADING);
  const words = leading.filter((word) => !word.includes("-"));
  const symbols = [...textsOf("symbol"), ...words, ...text.match(ENVIRONMENT) ?? []];
  const keys = text.match(FIGURES)?.flatMap((each) => each.match(PLAIN) ?? [])
    .map((word) => word.toLowerCase()).filter((word) => !isStopword(word)) ?? [];
  const packages = new Map<string, boolean>();
  for (const match of text.matchAll(PACKAGE)) {
    const name = match[0].replace(/[./-]+$/, ""), end = match.index + name.length;
    const isClear = /[@/_.-]|\d/.test(name) || codes.includes(name) || leading.includes(name) ||
      BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index)) ||
      BEHIND.test(text.slice(end, end + 20));
    packages.set(name, isClear || packages.get(name) === true);
  }
  const calls = [...text.matchAll(CALL)].map(([, call = "", name = "", folder]) =>
    [name, folder === undefined ? call : `${call} (in ${folder}/)`] as const
  );
  return {
    /** All its text. */
    text,
    /** Paths, names of files and of folders: a file's name is the path that stands elsewhere in the note. */
    paths: paths.filter((path) => !paths.some((other) => other.endsWith("/" + path))),
    /** Identifiers. */
    symbols: [...new Set(symbols)],
    /** Words of sentences with a figure, which may be the name of a value, in lower case. */
    keys: [...new Set(keys)].slice(0, MOST_KEYS),
    /** Scripts and targets, by their names, with the words that call them. */
    scripts: new Map(calls),
    /** Pieces that may be a package's name, and whether no word of a sentence looks like it. */
    packages,
    /** Code between backticks. */
    codes,
  };
}

/** Values stand so near to the names that they belong to, in characters. */
const NEAR = 60;

/** Whether a text states a value beside a name. */
export function states(text: string, name: string, value: string): boolean {
  const plain = bare(value);
  if (plain === "") return false;
  const isValue = bounded(plain);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (/[\w$]/.test(text[end] ?? "") || /[\w$]/.test(text[at - 1] ?? "")) continue;
    if (isValue.test(text.slice(end, end + NEAR + plain.length))) return true;
    if (plain.length > 1 && isValue.test(text.slice(Math.max(0, at - NEAR / 2), at))) return true;
  }
  return false;
}

/** A pattern for a text that is no part of a longer word or number. */
export function bounded(text: string): RegExp {
  const before = /^\d/.test(text) ? "(?<![\\w.])v?" : /^\w/.test(text) ? "(?<![\\w.])" : "";
  const after = /\w$/.test(text) ? "(?!\\w|\\.\\d)" : "";
  return new RegExp(before + RegExp.escape(text) + after);
}

/** A value without quotes. */
export function bare(value: string): string {
  return value.trim().replace(/^(["'`])(.*)\1$/s, "$2").trim();
}

/** The version in what a manifest demands: `^4.0.0` and `>=4.0.0,<5` are about 4.0.0; empty if there is none. */
export function versionIn(value: string): string {
  return /\d[\w.+-]*/.exec(value)?.[0] ?? "";
}
