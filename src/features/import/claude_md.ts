import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";
import { readRegular } from "../../core/files/bounded.ts";
import { MemoError } from "../../errors.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { isWithin, projectAt, realPath } from "../../core/memory/project.ts";
import { readWithIncludes } from "./includes.ts";
import { filesBelow, kindOf } from "./notes.ts";
import {
  type ImportPlace,
  type ImportSource,
  type Reading,
  type Skipped,
  type SourceRecord,
  textsOf,
} from "./record.ts";
import { rulesOf } from "./rules.ts";
import { written } from "./written.ts";

/** The instructions that people write for Claude Code: a memory for each rule, and one for any other text. */
export const claudeMd: ImportSource = {
  name: "claude-md",
  summary: "CLAUDE.md, split into memories; shown first",
  where:
    "CLAUDE.md, CLAUDE.local.md, AGENTS.md and `.claude/rules/` of this project, and yours in `~/.claude`, with the Markdown that they include by `@path`",
  gives:
    "each rule of a list, and each other text; shown first, with `--diff` line by line, and the files themselves stay as they are",
  places({ claude, ...place }) {
    const root = projectAt({ claude, ...place })?.root ?? place.cwd;
    const own = [".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules", "AGENTS.md"];
    return [
      ...["CLAUDE.md", ...own].map((path) => join(root, path)),
      ...["CLAUDE.md", "rules"].map((path) => join(claude, path)),
    ];
  },
  read(path, place) {
    const files = kindOf(path) === "file" ? [path] : filesBelow(path).map((way) => join(path, way));
    const readings = files.map((file) => readFile(file, place));
    const records = readings.flatMap((reading) => reading.records);
    const skipped = readings.flatMap((reading) => reading.skipped);
    if (records.length > 0 || files.length === 0) return { records, skipped };
    return { records, skipped: [...skipped, { what: basename(path), because: "no rules in it" }] };
  },
};

function readFile(path: string, place: ImportPlace): Reading {
  const { claude, home } = place;
  const root = projectAt(place)?.root;
  const real = realPath(path);
  const isUsers = isWithin(real, realPath(claude));
  const isHere = !isUsers && root !== undefined && isWithin(real, root);
  if (!isHere && !isUsers && root !== undefined && isWithin(resolve(path), root)) {
    throw new MemoError("file", `Cannot import \`${path}\`: it is a link out of the project`, {
      hint: `Run \`memo import claude-md ${real}\``,
    });
  }
  const within = isHere ? root : isUsers ? home : dirname(path);
  const { files, skipped } = readWithIncludes(path, { home, within });
  const leftOut: Skipped[] = [];
  const records = files.flatMap((file): SourceRecord[] => {
    const { text: whole, paths } = withoutFrontMatter(file.text);
    const { text, leftOut: marks } = written(whole);
    leftOut.push(...marks.map((what) => ({ what, because: "a tool writes this block" })));
    const base = isHere ? root : isUsers ? realPath(claude) : realPath(within);
    const way = relative(base, realPath(file.path)).split(sep).join("/");
    return rulesOf(text, {
      prefix: isUsers ? `~/${way}` : way,
      scope: isUsers ? "user" : "project",
      about: paths,
    }).map((record) => ({ ...record, file: file.path }));
  });
  return { records, skipped: [...skipped, ...leftOut] };
}

const FRONT_MATTER = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** A rule's text, and the files that it is for, as Claude Code's `paths` says. */
function withoutFrontMatter(text: string): { text: string; paths: string[] } {
  const [whole = "", matter = ""] = FRONT_MATTER.exec(text) ?? [];
  let paths: unknown;
  try {
    ({ paths } = fieldsOf(parse(matter)));
  } catch {
    // not YAML: the rules in it are taken all the same
  }
  const list = typeof paths === "string" ? paths.split(",") : paths;
  return { text: text.slice(whole.length), paths: textsOf(list) };
}

/** Whether there is a file, or a folder of them, that more than memo has written into. */
export function hasClaudeMd(path: string): boolean {
  if (!existsSync(path)) return false;
  if (kindOf(path) === "folder") return filesBelow(path).length > 0;
  return written(Buffer.from(readRegular(path, MAX_BYTES)).toString("utf8")).text.trim() !== "";
}

/** A larger file is not read to see whether there is anything in it. */
const MAX_BYTES = 16 * 1024 * 1024;
