// A file of rules with the Markdown that Claude Code reads along with it by `@path`.

import { dirname, join, relative, resolve, sep } from "node:path";
import { messageOf } from "../../errors.ts";
import { realPathOf } from "../files/real_path.ts";
import { statsOf } from "../files/there.ts";
import { linesOf } from "../text/markdown.ts";
import { isWithin } from "./project.ts";

/** Claude Code follows so many in a row. */
const MAX_DEPTH = 5;
const MAX_FILES = 100;
/** Larger than this is no text of instructions. */
const MAX_INCLUDE = 128 * 1024;

const INCLUDE = /(^|\s)@((?:~\/|\.{0,2}\/)?[^\s`@]+\.(?:md|markdown))(?=$|[\s.,;:)])/gi;
/** A file that is a path alone. */
const LINK = /^\s*[^\s`@]+\.(?:md|markdown)\s*$/i;
/** A line that has fewer words beside what it includes says nothing. */
const LEAST_WORDS = 3;

/** A file and all that it includes, each once, without the lines that do nothing else; and what is not read. */
export function readWithIncludes(
  path: string,
  { home, within, readText }: {
    readonly home: string;
    /** Nothing outside this folder is read, links followed: a repository names no file of its user's. */
    readonly within: string;
    /** The text of a file of so many bytes at most; throws where that cannot be read. */
    readonly readText: (path: string, maxBytes: number) => string;
  },
) {
  const files: { readonly path: string; readonly text: string }[] = [];
  const skipped: { readonly what: string; readonly because: string }[] = [];
  const seen = new Set<string>();
  const read = (path: string, depth: number) => {
    seen.add(realPathOf(path));
    const includes: string[] = [];
    const content = readText(path, MAX_INCLUDE);
    // Git checks a link out as a file with its path where the system has no links.
    const isLink = LINK.test(content) &&
      statsOf(resolve(dirname(path), content.trim())) !== undefined;
    const text = [...linesOf(isLink ? `@${content.trim()}` : content)].map(({ line, isCode }) => {
      if (isCode) return line;
      const rest = withoutCode(line).replace(INCLUDE, (_, space: string, target: string) => {
        includes.push(target);
        return space;
      });
      const isLeft = (rest.match(/[\p{L}\p{N}]+/gu) ?? []).length >= LEAST_WORDS;
      return rest !== withoutCode(line) && !isLeft ? "" : line;
    }).join("\n");
    files.push({ path, text });
    for (const target of includes) include(target, path, depth);
  };
  const include = (target: string, from: string, depth: number) => {
    const path = target.startsWith("~/")
      ? join(home, target.slice(2))
      : resolve(dirname(from), target);
    try {
      const because = refusal(path, { within, depth, files: files.length });
      if (because !== undefined) throw new Error(because);
      if (!seen.has(realPathOf(path))) read(path, depth + 1);
    } catch (error) {
      skipped.push({ what: `@${target}`, because: messageOf(error) });
    }
  };
  read(path, 0);
  return { files, skipped };
}

/** Why a file is not included; undefined if it is. */
function refusal(
  path: string,
  { within, depth, files }: { within: string; depth: number; files: number },
): string | undefined {
  if (statsOf(path) === undefined) return "no such file";
  const root = realPathOf(within);
  if (!isWithin(realPathOf(path), root)) {
    return `it is outside \`${within}\`; use \`memo import rules PATH\``;
  }
  // No dot folder but Claude Code's own holds instructions.
  const hidden = relative(root, realPathOf(path)).split(sep).find((part) =>
    part.startsWith(".") && part !== ".claude"
  );
  if (hidden !== undefined) return "it is in a hidden folder";
  if (depth >= MAX_DEPTH) return `includes are nested more than ${MAX_DEPTH} deep`;
  return files >= MAX_FILES ? `more than ${MAX_FILES} files are included` : undefined;
}

/** A line with its code spans blanked: Claude Code includes nothing from these. */
function withoutCode(line: string): string {
  return line.replace(/`[^`]*`/g, (code) => "x".repeat(code.length));
}
