// `@path` in CLAUDE.md: the Markdown files that Claude Code reads along with it.

import { dirname, join, relative, resolve, sep } from "node:path";
import { messageOf } from "../../errors.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import { statsOf } from "../../core/files/stats.ts";
import { isWithin } from "../../core/memory/project.ts";
import { readText } from "./read_text.ts";
import type { Skipped } from "./record.ts";
import { linesOf } from "./split.ts";

/** A file of instructions, as it was read. */
export interface Instructions {
  readonly path: string;
  readonly text: string;
}

export interface IncludeOptions {
  readonly home: string;
  /** Nothing outside this folder is read, links followed: a repository names no file of its user's. */
  readonly within: string;
}

/** Claude Code follows so many in a row. */
const MAX_DEPTH = 5;
const MAX_FILES = 100;
/** Larger than this is no text of instructions. */
const MAX_BYTES = 1024 * 1024;

const INCLUDE = /(^|\s)@((?:~\/|\.{0,2}\/)?[^\s`@]+\.(?:md|markdown))(?=$|[\s.,;:)])/gi;
/** A file that is a path alone. */
const LINK = /^\s*[^\s`@]+\.(?:md|markdown)\s*$/i;
/** A line that has fewer words beside what it includes says nothing. */
const LEAST_WORDS = 3;

/** A file and all that it includes, each once, without the lines that do nothing else; and what is not read. */
export function readWithIncludes(
  path: string,
  options: IncludeOptions,
): { readonly files: readonly Instructions[]; readonly skipped: readonly Skipped[] } {
  const files: Instructions[] = [];
  const skipped: Skipped[] = [];
  const seen = new Set<string>();
  const read = (path: string, depth: number) => {
    seen.add(realPathOf(path));
    const includes: string[] = [];
    const content = readText(path, MAX_BYTES);
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
      ? join(options.home, target.slice(2))
      : resolve(dirname(from), target);
    const because = refusal(path, { ...options, depth, files: files.length });
    if (because !== undefined) {
      skipped.push({ what: `@${target}`, because });
      return;
    }
    if (seen.has(realPathOf(path))) return;
    try {
      read(path, depth + 1);
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
  { within, depth, files }: Pick<IncludeOptions, "within"> & Record<"depth" | "files", number>,
): string | undefined {
  if (statsOf(path) === undefined) return "there is no such file";
  const root = realPathOf(within);
  if (!isWithin(realPathOf(path), root)) {
    return `it is outside \`${within}\`; \`memo import claude-md PATH\` imports it`;
  }
  // No dot folder but Claude Code's own holds instructions.
  const hidden = relative(root, realPathOf(path)).split(sep).find((part) =>
    part.startsWith(".") && part !== ".claude"
  );
  if (hidden !== undefined) return "it is in a hidden folder";
  if (depth >= MAX_DEPTH) return `it is included more than ${MAX_DEPTH} files deep`;
  return files >= MAX_FILES ? `more than ${MAX_FILES} files are included` : undefined;
}

/** A line with its code spans blanked: Claude Code includes nothing from these. */
function withoutCode(line: string): string {
  return line.replace(/`[^`]*`/g, (code) => "x".repeat(code.length));
}
