// Where a work tree defines the symbols that memories name. Asked in the background, bounded in time and size; what
// cannot be told names nothing.

import { join } from "node:path";
import { askGit } from "../../core/files/git.ts";
import { statsOf } from "../../core/files/there.ts";
import { MOST_BYTES } from "../../core/files/work_tree.ts";

/** Symbols that are looked for at a time. */
const SYMBOLS_AT_ONCE = 100;

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
