// What a work tree has of the things that memories name: its files, and where symbols are defined. Asked in the
// background, bounded in time and size; what cannot be told names nothing.

import { opendir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { askGit } from "../../core/files/git.ts";
import { statsOf } from "../../core/files/there.ts";

/** Files of a work tree that are looked at, in a repository and, where memo has to walk itself, without one. */
const MOST_FILES = 100_000, MOST_WALKED = 20_000;
/** Folders that hold nothing that is written by hand. */
const SKIPPED = /^(?:\..*|node_modules|target|dist|build|vendor|venv|__pycache__)$/;
const DEEPEST = 12;
/** Output of git that is read. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Symbols that are looked for at a time. */
const SYMBOLS_AT_ONCE = 100;

/** The files of a work tree, with `/`, relative to its top; none if there are too many to tell. */
export async function filesOf(top: string): Promise<readonly string[]> {
  if (statsOf(join(top, ".git")) === undefined) return await walk(top);
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = await askGit(top, args, { maxBytes: MOST_BYTES });
  const files = [...new Set(listed.split("\0"))].filter((file) => file !== "");
  if (files.length === 0) return await walk(top); // without git, for example
  return files.length > MOST_FILES ? [] : files;
}

async function walk(top: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [{ path: top, depth: 0 }];
  for (const { path, depth } of folders) {
    try {
      for await (const entry of await opendir(path)) {
        const name = join(path, entry.name);
        if (entry.isFile()) files.push(relative(top, name).replaceAll(sep, "/"));
        if (files.length + folders.length > MOST_WALKED) return [];
        const isWorth = entry.isDirectory() && depth < DEEPEST && !SKIPPED.test(entry.name);
        if (isWorth) folders.push({ path: name, depth: depth + 1 });
      }
    } catch {
      // it cannot be read, or has gone
    }
  }
  return files;
}

/** The words before a name that is defined, in the usual languages; what can be set again (`let`) is seldom meant. */
const KEYWORDS =
  "function\\*?|class|interface|type|enum|struct|trait|def|fn|func|const|var|val|static|module|namespace|object|" +
  "record|protocol|sub|macro_rules!|define|union|mod|constructor|procedure|message|service|table|view";

/** Whether a line of code defines a symbol: after a keyword, at its left edge, or as a method with its body. */
export function defines(line: string, symbol: string): boolean {
  const name = symbol.replaceAll("$", "\\$");
  const after = `(?![\\w$])`;
  return new RegExp(
    `(?:^|[^\\w.$])(?:${KEYWORDS})\\s+(?:\\([^)]*\\)\\s*)?(?:[*&]\\s*)?(?:\\w+(?:\\.|::))?${name}${after}` +
      `|^(?:export\\s+)?(?:(?:module\\.)?exports\\.)?${name}\\s*(?::[^=]+)?=(?![=>])` +
      `|^\\s*(?:(?:public|private|protected|internal|static|async|override|readonly|final|abstract|virtual|get|set|\\*|` +
      `[A-Z][\\w<>\\[\\],]*|void|int|bool|string)\\s+)*${name}\\s*(?:<[^>]*>)?\\([^;]*(?:\\{|,|\\()\\s*$`,
  ).test(line);
}

/** The files that define each of some symbols, of a repository; none without one. */
export async function definitionsOf(
  top: string,
  symbols: readonly string[],
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  if (statsOf(join(top, ".git")) === undefined) return found;
  for (let at = 0; at < symbols.length; at += SYMBOLS_AT_ONCE) {
    const some = symbols.slice(at, at + SYMBOLS_AT_ONCE);
    const patterns = some.flatMap((symbol) => ["-e", symbol]);
    const args = ["grep", "--untracked", "-I", "-w", "-F", "-z", ...patterns];
    const lines = (await askGit(top, args, { maxBytes: MOST_BYTES })).split("\n");
    for (const each of lines) {
      const [file, line] = each.split("\0");
      if (line === undefined || line.length > MOST_LINE) continue;
      for (const symbol of some) {
        if (!line.includes(symbol) || !defines(line, symbol)) continue;
        found.set(symbol, (found.get(symbol) ?? new Set()).add(file!));
      }
    }
  }
  return found;
}

/** A longer line is made by a program. */
const MOST_LINE = 300;
