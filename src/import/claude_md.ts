import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { isPersonal } from "../memory/personal.ts";
import { projectAt } from "../memory/project.ts";
import { titleOf } from "../memory/title.ts";
import {
  contentOf,
  type ImportSource,
  type Reading,
  shortId,
  type Skipped,
  type SourceRecord,
} from "./record.ts";
import { readText } from "./read_text.ts";
import { type Section, sectionsOf } from "./split.ts";

/** CLAUDE.md of this project: a memory for each rule of a list, and one for any other section. */
export const claudeMd: ImportSource = {
  name: "claude-md",
  summary: "CLAUDE.md, split into memories; shown as a diff",
  where: "CLAUDE.md",
  gives:
    "each rule of a list, and each other section; shown as a diff first, and CLAUDE.md itself stays as it is",
  places(place) {
    const root = projectAt(place)?.root ?? place.cwd;
    return [join(root, "CLAUDE.md"), join(root, ".claude", "CLAUDE.md"), join(root, "AGENTS.md")];
  },
  read: (path, place) => readingOf(readText(path), path, join(place.claude, "CLAUDE.md") === path),
};

/** What memo or another tool has generated into it, between a pair of marks. */
const GENERATED = /^<!--\s*(\S+):START\b.*?-->[^]*?^<!--\s*\1:END\b.*?-->[ \t]*$/gim;
/** A line that includes another file. */
const INCLUDE = /^@\S+[ \t]*$/gm;
const COMMENT = /<!--[^]*?-->/g;
const ITEM = /^[-*+][ \t]+/;
/** An item that is one rule has at least so many words; shorter ones belong together. */
const LEAST_WORDS = 4;

/** What a heading says about the type of its section; the first that fits. */
const TYPE_OF: readonly (readonly [RegExp, string])[] = [
  [/decision|why we|rationale/i, "decision"],
  [/gotcha|pitfall|caveat|trap|known issue|do not|don't|never|avoid|warning/i, "gotcha"],
  [/convention|style|pattern|guideline|rule|standard|naming|practice|test/i, "pattern"],
  [/architect|structure|layout|overview|design|module|component|how it works/i, "architecture"],
  [/command|setup|install|build|develop|tool|environment|deploy|run/i, "tool"],
  [/link|reference|resource|documentation|contact/i, "reference"],
  [/preference|about me|tone|language|communicat/i, "feedback"],
];

function readingOf(text: string, path: string, isUsers: boolean): Reading {
  const plain = text.replace(GENERATED, "").replace(COMMENT, "").replace(INCLUDE, "");
  const records: SourceRecord[] = [];
  const skipped: Skipped[] = [];
  const seen = new Set<string>();
  for (const section of sectionsOf(plain)) {
    for (const content of contentsOf(section)) {
      const id = `${basename(path)}#${shortId(`${section.headings.join("/")}\n${content.name}`)}`;
      if (seen.has(id)) continue;
      seen.add(id);
      records.push({ id, scope: isUsers ? "user" : "project", content });
    }
  }
  if (records.length === 0) skipped.push({ what: basename(path), because: "nothing to remember" });
  return { records, skipped };
}

/** The memories of a section: one for each rule if it is a list of them, else one. */
function* contentsOf({ headings, text }: Section) {
  const heading = headings.at(-1) ?? "";
  const said = headings.toReversed().join(" ");
  const type = (body: string) =>
    isPersonal(body) ? "feedback" : TYPE_OF.find(([word]) => word.test(said))?.[1] ?? "project";
  const items = rulesIn(text);
  if (items !== undefined) {
    for (const item of items) yield contentOf(item, { type: type(item), description: heading });
    return;
  }
  yield contentOf(text, { name: heading || titleOf(text).name, type: type(text) });
}

/** The items of a section that is nothing but a list of rules; undefined otherwise. */
function rulesIn(text: string): string[] | undefined {
  const items: string[] = [];
  for (const line of text.split("\n")) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else if (items.length > 0 && (/^[ \t]+\S/.test(line) || line.trim() === "")) {
      items[items.length - 1] += `\n${line.replace(/^[ \t]{1,4}/, "")}`;
    } else return undefined;
  }
  const rules = items.map((item) => item.trim());
  const isRule = (item: string) =>
    (item.match(/[\p{L}\p{N}'’-]+/gu) ?? []).length >= LEAST_WORDS ||
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(item);
  return rules.length > 0 && rules.every(isRule) ? rules : undefined;
}

/** Whether a project has a CLAUDE.md that more than memo has written into. */
export function hasClaudeMd(path: string): boolean {
  return existsSync(path) && readText(path).replace(GENERATED, "").trim() !== "";
}
