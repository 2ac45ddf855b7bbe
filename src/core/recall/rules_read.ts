// The rules that Claude Code reads by itself when a session starts: memo does not list them a second time.

import { join, relative, sep } from "node:path";
import type { IndexedMemory } from "../index/corpus.ts";
import { readRegular } from "../files/bounded.ts";
import { namesIn, orNothing, statsOf } from "../files/there.ts";
import { withoutGlobs } from "../memory/applies.ts";
import { readWithIncludes } from "../memory/includes.ts";
import { type Place, type Project, projectAt } from "../memory/project.ts";
import { putLast, remembering } from "../text/remembered.ts";
import { hasSameWords, isWithinText, TextWords } from "./repeats.ts";

/** Texts that are kept analysed: those of a few projects. */
const KEPT = 64;
/** Maximum characters that a start looks at: a repository may have more, of which memo then lists what it knows. */
const MAX_CHARS = 256 * 1024;
/** A rule file that Claude Code reads only with some files says so at its top. */
const CONDITIONAL = /^---[ \t]*\r?\n(?:(?!---)[^\n]*\n)*paths:/;

/** The texts that were compared last, each whole and by its lines' words. */
const known = new Map<string, ReturnType<typeof analysed>>();

function analysed(text: string) {
  const lines = text.split("\n").map((line) => new TextWords(line));
  return { whole: new TextWords(text), lines: Map.groupBy(lines, keyOf) };
}

function wordsIn(text: string) {
  const words = known.get(text) ?? analysed(text);
  putLast(known, text, words, KEPT);
  return words;
}

/** Whether Claude Code has read a memory's text in its rule files: it was imported from them, or is one of their lines. */
export function readRules(place: Place): (memory: IndexedMemory) => boolean {
  const { home, claude, cwd } = place;
  const { top, from } = projectAt(place) ?? { top: cwd, from: cwd };
  let left = MAX_CHARS;
  const texts = filesRead({ top, from, claude }).flatMap((path) => {
    const within = path.startsWith(claude + sep) ? home : top;
    const found = left <= 0 ? [] : textsAt(path, { home, within }, left);
    left -= found.reduce((sum, text) => sum + text.length, 0);
    return found;
  }).map(wordsIn);
  return (memory) => {
    const words = ruleWords(memory);
    const isImported = memory.importedFrom === "rules" || memory.importedFrom === "claude-md";
    return texts.some(({ whole, lines }) =>
      isImported && isWithinText(whole, words) ||
      lines.get(keyOf(words))?.some((line) => hasSameWords(line, words)) === true
    );
  };
}

const ruleWords = remembering(({ name, body }: IndexedMemory) =>
  new TextWords(withoutGlobs(body) || name)
);

function keyOf({ terms }: TextWords): string {
  return [...terms].sort().join(" ");
}

/** The files: of each folder down to the working directory, and the person's own; AGENTS.md only where there is no CLAUDE.md. */
function filesRead(
  { top, from, claude }: Pick<Project, "top" | "from"> & Pick<Place, "claude">,
): string[] {
  const steps = relative(top, from).split(sep).filter((step) => step !== "");
  const folders = [top, ...steps.map((_, i) => join(top, ...steps.slice(0, i + 1)))];
  const inEach = (...names: readonly string[]) =>
    folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const rules = [...inEach(join(".claude", "rules")), join(claude, "rules")]
    .flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  const main = inEach("CLAUDE.md", join(".claude", "CLAUDE.md"));
  const hasMain = main.some((path) => statsOf(path) !== undefined);
  return [
    ...hasMain ? main : inEach("AGENTS.md"),
    ...inEach("CLAUDE.local.md"),
    join(claude, "CLAUDE.md"),
    ...rules.filter((path) => path.endsWith(".md")),
  ].filter((path) => statsOf(path)?.isFile());
}

/** The text of a file and of what it includes, as far as they can be read, up to some characters. */
function textsAt(
  path: string,
  allowed: { readonly home: string; readonly within: string },
  most: number,
): string[] {
  let left = most;
  const readText = (path: string, maxBytes: number) => {
    const text = readRegular(path, Math.min(maxBytes, left)).toString("utf8");
    left -= text.length;
    return text;
  };
  const { files } = orNothing(() => readWithIncludes(path, { ...allowed, readText })) ??
    { files: [] };
  return CONDITIONAL.test(files[0]?.text ?? "") ? [] : files.map(({ text }) => text);
}
