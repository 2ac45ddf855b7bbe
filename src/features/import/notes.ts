// Folders of Markdown notes: what a source's files have in common.

import { statSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { parse } from "yaml";
import { MemoError, messageOf } from "../../errors.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import { irregular, tooLarge } from "../../core/files/bounded.ts";
import { entriesIn, orNothing, statsOf } from "../../core/files/there.ts";
import { withSlashes } from "../../core/files/slashes.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { parseMemory } from "../../core/memory/file.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { nameOfFile } from "../../core/memory/title.ts";
import {
  contentOf,
  type ImportPlace,
  type ImportSource,
  notThere,
  readingOf,
  readText,
  shortId,
  type Skipped,
  type SourceContent,
  type SourceRecord,
  textsOf,
} from "./record.ts";
import { linesOf } from "../../core/text/markdown.ts";
import { counted } from "../../core/text/counted.ts";
import { isWithin, projectAt, realPath } from "../../core/memory/project.ts";
import { KNOWN_TYPES } from "../../core/memory/types.ts";

/** A note as it was read, and its path below the folder, with `/`. */
export type ImportedNote = Readonly<Record<"relativePath" | "text", string>> & {
  readonly memory: Memory;
};

interface NotesOptions {
  /** What a note becomes. */
  readonly scope: SourceRecord["scope"];
  /** Changes what its front matter says. */
  readonly refine?: (note: ImportedNote) => Partial<Omit<Memory, "body">>;
  /** Whether a file is a note of this source; default: every `.md`. */
  readonly isNote?: (relativePath: string) => boolean;
}

/** No store of notes has more. */
const MAX_FILES = 50_000;
const MAX_DEPTH = 12;
/** A file larger than this is a dump. */
const MAX_NOTE = 2 * 1024 * 1024;
const PASSED: readonly string[] = ["node_modules", "vendor", "dist", "target"];

/** Reads a Markdown file, or all below a folder. */
export function readNotes(path: string, options: NotesOptions): SourceContent {
  const { root, relativePaths } = notesAt(path);
  const prefix = notesPrefix(root);
  const notes = relativePaths.filter(options.isNote ?? (() => true)).map((relativePath) => {
    try {
      return recordOf(relativePath, { root, prefix, ...options });
    } catch (error) {
      const isWrapped = error instanceof MemoError && error.cause !== undefined;
      return { what: relativePath, because: messageOf(isWrapped ? error.cause : error) };
    }
  });
  return readingOf([...root === path ? othersBelow(path) : [], ...notes]);
}

/** The Markdown files below a folder, or a file by itself. */
export function notesAt(path: string): { readonly root: string; readonly relativePaths: string[] } {
  return kindOf(path) === "file"
    ? { root: dirname(path), relativePaths: [basename(path)] }
    : { root: path, relativePaths: filesBelow(path) };
}

/** What the ids of a folder's notes begin with: another folder has others. */
export function notesPrefix(root: string): string {
  return shortId(realPathOf(root)).slice(0, 6);
}

/** Whether a path is a folder or a file; throws a `not-found` MemoError if it is neither. */
export function kindOf(path: string): "file" | "folder" {
  const stats = statsOf(path);
  if (stats?.isDirectory()) return "folder";
  if (stats?.isFile()) return "file";
  throw notThere(path, stats === undefined ? "no such file or folder" : irregular(stats));
}

/** The Markdown files below a folder, sorted; hidden ones and links are passed over. */
export function filesBelow(root: string): string[] {
  return allBelow(root).filter((path) => MARKDOWN.test(path));
}

/** A Markdown file, by its name. */
export const MARKDOWN = /\.(?:md|markdown)$/i;

/** The files beside the notes of a folder, which are left out, as one line: how many, and of what kinds. */
function othersBelow(root: string): Skipped[] {
  const others = allBelow(root).filter((path) => !MARKDOWN.test(path));
  if (others.length === 0) return [];
  const kinds = [...new Set(others.map((path) => extname(path)))].filter((kind) => kind !== "");
  const named = kinds.slice(0, 5).join(", ") + (kinds.length > 5 ? ", …" : "");
  const because = `not Markdown${named === "" ? "" : ` (${named})`}`;
  return [{ what: counted(others.length, "other file"), because, count: others.length }];
}

/** The files below a folder, sorted; hidden ones and links are passed over. */
export function allBelow(root: string): string[] {
  const relativePaths: string[] = [];
  const walk = (folder: string, depth: number) => {
    for (const entry of entriesIn(folder)) {
      const { name } = entry;
      const isFull = relativePaths.length >= MAX_FILES;
      if (name.startsWith(".") || PASSED.includes(name) || isFull) continue;
      const path = join(folder, name);
      if (entry.isDirectory() && depth < MAX_DEPTH) walk(path, depth + 1);
      else if (entry.isFile()) relativePaths.push(withSlashes(relative(root, path)));
    }
  };
  walk(root, 0);
  return relativePaths.sort();
}

/** Bytes that are no text show as mostly this; a few are those of a file in an old encoding. */
const UNREADABLE = /\ufffd/g;
const MOST_UNREADABLE = 0.1;

function recordOf(
  relativePath: string,
  { root, prefix, scope, refine = () => ({}) }: NotesOptions & Record<"root" | "prefix", string>,
): SourceRecord | Skipped {
  const path = join(root, relativePath);
  const { size, mtime } = statSync(path);
  if (size > MAX_NOTE) throw new Error(tooLarge(MAX_NOTE));
  const text = readText(path);
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  if (unreadable > MOST_UNREADABLE * text.length) throw new Error("it is not text");
  const { memory } = parseMemory(text, { fallbackName: "" });
  const { body } = memory;
  const given = { ...memory, ...refine({ relativePath, text, memory }) };
  if (body.trim() === "" && given.description === "") {
    return { what: relativePath, because: "it is empty" };
  }
  const dated = { ...given, created: given.created ?? given.updated ?? mtime.toISOString() };
  const file = basename(relativePath).replace(/\.\w+$/, "");
  const name = given.name || titleIn(body) || nameOfFile(file, body);
  const description = given.description || (given.name || titleIn(body) ? "" : aboutOf(file));
  const tags = [...given.tags, ...tagsIn(body)].map((tag) => tag.replace(/^#/, ""));
  // The other names that Obsidian gives a note: a prompt may use them.
  const aliases = text.includes("aliases:") ? listIn(text, "aliases") : [];
  const triggers = [...given.triggers, ...aliases];
  const content = contentOf(body, { ...dated, name, description, tags, triggers });
  return { id: `${prefix}/${relativePath}`, scope, content };
}

/** `#tags` in a text, as Obsidian and basic-memory have them; no number or colour is one. */
function tagsIn(body: string): string[] {
  const prose = [...linesOf(body)].map(({ line, isCode }) => isCode ? "" : line).join("\n")
    .replace(/`[^`\n]*`|\[\[[^\]\n]*\]\]|\]\([^)\n]*\)/g, " ");
  return [...prose.matchAll(/(?<=^|[\s(])#([\p{L}\p{N}_/-]+)/gu)].map(([, tag]) => tag!)
    .filter((tag) =>
      /\p{L}/u.test(tag) && !/^(?=.*\d)(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.test(tag)
    );
}

/** The front matter of a note. */
export const FRONT_MATTER = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** A list in the front matter of a text, also one with commas, and of globs without quotes, which are not YAML. */
export function listIn(text: string, key: string): string[] {
  const matter = FRONT_MATTER.exec(text)?.[1] ?? "";
  const value = fieldsOf(orNothing(() => parse(matter)))[key] ??
    new RegExp(`^${key}:[ \\t]*(\\S.*)$`, "m").exec(matter)?.[1];
  return textsOf(typeof value === "string" ? partsOf(value) : value);
}

/** What is between commas, but for those in braces: `*.{ts,tsx}` is one glob. */
function partsOf(list: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of list) {
    depth = Math.max(0, depth + Number(character === "{") - Number(character === "}"));
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function titleIn(body: string): string {
  return /^\s*#[ \t]+(.+)/.exec(body)?.[1]?.trim() ?? "";
}

function aboutOf(file: string): string {
  const words = file.replace(/[-_]+/g, " ").trim();
  return /\p{L}{2}.* \p{L}{2}/u.test(words) ? words : "";
}

/** Whether a source's file belongs to the project of the working directory. */
export function isInProject(path: string, place: ImportPlace): boolean {
  const root = projectAt(place)?.root;
  return root !== undefined && isWithin(realPath(path), realPath(root));
}

/** Files of a documentation that say nothing to remember. */
const NO_NOTES = /^(?:MEMORY|LICENSE|CHANGELOG|CODE_OF_CONDUCT)\.md$/i;

/** A folder of Markdown notes, or one file. */
export const markdown: ImportSource = {
  name: "markdown",
  summary: "A folder of Markdown files, or one file",
  where: "the folder or file you name",
  gives:
    "each file, with its `#tags` and `[[links]]`; the type comes from its front matter, folder or name",
  places: () => [],
  read(path, place) {
    return readNotes(path, {
      scope: isInProject(path, place) ? "project" : "user",
      isNote: (relativePath) => !NO_NOTES.test(basename(relativePath)),
      refine: ({ text, memory, relativePath }: ImportedNote) =>
        /^---/.test(text) && memory.type !== "project"
          ? {}
          : { type: typeOfFolder(relativePath) ?? memory.type },
    });
  },
};

/** The type that a note's folder or file name begins with: `decisions/x.md`, `decision_x.md`. */
function typeOfFolder(relativePath: string): string | undefined {
  const words = relativePath.toLowerCase().split(/[/_.-]/).map((word) => word.replace(/s$/, ""));
  return KNOWN_TYPES.find((name) => words.includes(name));
}
