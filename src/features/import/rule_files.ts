// The rule files of agents, as `src/core/memory/rule_files.ts` lists them.

import { basename, dirname, join, relative, resolve } from "node:path";
import { statsOf } from "../../core/files/there.ts";
import { filesOf } from "../../core/files/work_tree.ts";
import { withSlashes } from "../../core/files/slashes.ts";
import { readWithIncludes } from "../../core/memory/includes.ts";
import { isFolder, isWithin, projectAt, realPath } from "../../core/memory/project.ts";
import { shellQuoted } from "../../core/text/shell_words.ts";
import { ownRulePlaces, RULE_PLACES, ruleFileAt } from "../../core/memory/rule_files.ts";
import { allBelow, FRONT_MATTER, listIn, MARKDOWN } from "./notes.ts";
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
import { written } from "./split.ts";

/** A project has no more places with rules: what it vendors and generates may have thousands. */
const MOST_PLACES = 200;

/** The rules that people write for their agents: a memory for each, and one for any other text. */
export const rules: ImportSource = {
  name: "rules",
  formerly: "claude-md",
  summary: "CLAUDE.md, AGENTS.md and other agents' rule files, with a preview",
  where:
    "the files below, in this project and its folders; your own in your agents' folders; the Markdown they include with `@path`",
  gives:
    "each list item or other text, previewed first (`--diff`: line by line); rules of a folder or of some files say which they apply to; the files are not changed",
  async places(place) {
    const project = projectAt(place), top = project?.top ?? place.cwd;
    const listed = project === undefined ? [] : await filesOf(top);
    // Git lists no file that it ignores, and one such is for the person alone.
    const files = [...RULE_PLACES, ...listed].flatMap((path) => {
      const found = ruleFileAt(path.replace(/\/$/, ""))?.place;
      return found !== undefined && statsOf(join(top, found)) !== undefined ? [found] : [];
    });
    const nearestFirst = [...new Set(files)]
      .toSorted((a, b) => a.split("/").length - b.split("/").length);
    const here = nearestFirst.slice(0, MOST_PLACES).map((path) => join(top, path));
    return [...here, ...ownRulePlaces(place)];
  },
  read(path, place) {
    const isOfTable = ruleFileAt(withSlashes(path)) !== undefined;
    const isRules = (file: string) =>
      isOfTable ? ruleFileAt(file) !== undefined : MARKDOWN.test(file);
    const files = isFolder(path)
      ? allBelow(path).map((file) => join(path, file)).filter((file) => isRules(withSlashes(file)))
      : [path];
    const all = allOf(files.map((file) => readFile(file, place)));
    if (all.records.length > 0 || files.length === 0) return all;
    return {
      ...all,
      skipped: [...all.skipped, { what: basename(path), because: "no rules found" }],
    };
  },
};

function readFile(path: string, place: ImportPlace): SourceContent {
  const { claude, home } = place;
  const top = projectAt(place)?.top;
  const real = realPath(path);
  const isInClaude = isWithin(real, realPath(claude));
  const isUsers = isInClaude ||
    ownRulePlaces(place).some((own) => isWithin(resolve(path), resolve(own)));
  const isHere = !isUsers && top !== undefined && isWithin(real, top);
  if (!isHere && !isUsers && top !== undefined && isWithin(resolve(path), top)) {
    throw unreadable(path, "it links outside the project", {
      hint: `Run \`memo import rules ${shellQuoted(real)}\``,
    });
  }
  const within = isHere ? top : isUsers ? home : dirname(path);
  const { files, skipped } = readWithIncludes(path, { home, within, readText });
  const leftOut: Skipped[] = [];
  const base = isHere ? top : isInClaude ? realPath(claude) : realPath(within);
  // A file of another place is known by its whole path: it is not this project's of the same name.
  const wayTo = (file: string) =>
    isHere || isUsers ? withSlashes(relative(base, realPath(file))) : withSlashes(realPath(file));
  const globs = globsFor(files[0]!.text, wayTo(path), isHere);
  const records = files.flatMap((file): SourceRecord[] => {
    const { text, leftOut: marks } = written(file.text.replace(FRONT_MATTER, ""));
    leftOut.push(...marks.map((what) => ({ what, because: "a tool generates this block" })));
    return rulesOf(text, {
      prefix: isUsers ? `~/${wayTo(file.path)}` : wayTo(file.path),
      scope: isUsers ? "user" : "project",
      globs,
    }).map((record) => ({ ...record, file: file.path }));
  });
  return { records, skipped: [...skipped, ...leftOut] };
}

/** Which files the rules of a file are for, as globs: those that its front matter names, in the folder that it is for. */
function globsFor(text: string, path: string, isHere: boolean): readonly string[] {
  const { base = "", globs: key } = ruleFileAt(path) ?? {};
  const at = isHere && base !== "" ? `${base}/` : "";
  const isAlways = /^alwaysApply:[ \t]*true/m.test(FRONT_MATTER.exec(text)?.[1] ?? "");
  const listed = key === undefined || isAlways ? [] : listIn(text, key);
  const named = listed.filter((glob) => !glob.startsWith("!")).map((glob) => {
    const own = glob.replace(/^\.?\//, "");
    return own.includes("/") ? own : `**/${own}`; // a name alone is one in any folder
  });
  // What is for every file is for all.
  const some = named.some((glob) => /^(?:\*\*\/)+\*{1,2}$|^\*\*$/.test(glob)) ? [] : named;
  return some.length === 0 && at !== "" ? [`${at}**`] : some.map((glob) => at + glob);
}
