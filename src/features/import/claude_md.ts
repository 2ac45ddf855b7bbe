// CLAUDE.md and its like, with the Markdown that Claude Code reads along with them by `@path`.

import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { messageOf } from "../../errors.ts";
import { isWithin, projectAt, realPath } from "../../core/memory/project.ts";
import { FRONT_MATTER, listIn, notesAt } from "./notes.ts";
import {
  allOf,
  type ImportPlace,
  type ImportSource,
  readText,
  type Skipped,
  type SourceContent,
  type SourceRecord,
  unreadable,
} from "./record.ts";
import { rulesOf } from "./rules.ts";
import { linesOf, written } from "./split.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import { statsOf } from "../../core/files/there.ts";

/** The instructions that people write for Claude Code: a memory for each rule, and one for any other text. */
export const claudeMd: ImportSource = {
  name: "claude-md",
  summary: "CLAUDE.md split into memories, with a preview",
  where:
    "CLAUDE.md, CLAUDE.local.md, AGENTS.md and `.claude/rules/` in this project, your own in `~/.claude`, and the Markdown they include with `@path`",
  gives:
    "each list item or other text, previewed first (`--diff`: line by line); the files are not changed",
  places({ claude, ...place }) {
    const root = projectAt({ claude, ...place })?.root ?? place.cwd;
    const own = [".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules", "AGENTS.md"];
    return [
      ...["CLAUDE.md", ...own].map((path) => join(root, path)),
      ...["CLAUDE.md", "rules"].map((path) => join(claude, path)),
    ];
  },
  read(path, place) {
    const { root, relativePaths } = notesAt(path);
    const all = allOf(relativePaths.map((way) => readFile(join(root, way), place)));
    if (all.records.length > 0 || relativePaths.length === 0) return all;
    return {
      ...all,
      skipped: [...all.skipped, { what: basename(path), because: "no rules found" }],
    };
  },
};

function readFile(path: string, place: ImportPlace): SourceContent {
  const { claude, home } = place;
  const root = projectAt(place)?.root;
  const real = realPath(path);
  const isUsers = isWithin(real, realPath(claude));
  const isHere = !isUsers && root !== undefined && isWithin(real, root);
  if (!isHere && !isUsers && root !== undefined && isWithin(resolve(path), root)) {
    throw unreadable(path, "it links outside the project", {
      hint: `Run \`memo import claude-md ${real}\``,
    });
  }
  const within = isHere ? root : isUsers ? home : dirname(path);
  const { files, skipped } = readWithIncludes(path, { home, within });
  const leftOut: Skipped[] = [];
  const records = files.flatMap((file): SourceRecord[] => {
    const { text, leftOut: marks } = written(file.text.replace(FRONT_MATTER, ""));
    leftOut.push(...marks.map((what) => ({ what, because: "a tool generates this block" })));
    const base = isHere ? root : isUsers ? realPath(claude) : realPath(within);
    const way = relative(base, realPath(file.path)).split(sep).join("/");
    return rulesOf(text, {
      prefix: isUsers ? `~/${way}` : way,
      scope: isUsers ? "user" : "project",
      about: listIn(file.text, "paths"), // the files that a rule is for
    }).map((record) => ({ ...record, file: file.path }));
  });
  return { records, skipped: [...skipped, ...leftOut] };
}

/** Claude Code follows so many in a row. */
const MAX_DEPTH = 5;
const MAX_FILES = 100;
/** Larger than this is no text of instructions. */
const MAX_INCLUDE = 1024 * 1024;

const INCLUDE = /(^|\s)@((?:~\/|\.{0,2}\/)?[^\s`@]+\.(?:md|markdown))(?=$|[\s.,;:)])/gi;
/** A file that is a path alone. */
const LINK = /^\s*[^\s`@]+\.(?:md|markdown)\s*$/i;
/** A line that has fewer words beside what it includes says nothing. */
const LEAST_WORDS = 3;

/** A file and all that it includes, each once, without the lines that do nothing else; and what is not read. */
function readWithIncludes(
  path: string,
  { home, within }: {
    readonly home: string;
    /** Nothing outside this folder is read, links followed: a repository names no file of its user's. */
    readonly within: string;
  },
) {
  const files: { readonly path: string; readonly text: string }[] = [];
  const skipped: Skipped[] = [];
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
    return `it is outside \`${within}\`; use \`memo import claude-md PATH\``;
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
