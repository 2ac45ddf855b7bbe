// Instructions in Markdown, such as CLAUDE.md, as memories: one for each item of a list, one for any other text.

import { isPersonal } from "../memory/personal.ts";
import { slug } from "../memory/slug.ts";
import { shorten, titleOf } from "../memory/title.ts";
import { isRule } from "../text/rule.ts";
import { type Content, contentOf, shortId, type SourceRecord } from "./record.ts";
import { linesOf, type Section, sectionsOf } from "./split.ts";

export interface RulesOptions {
  /** What the id of each record begins with. */
  readonly prefix: string;
  readonly scope: SourceRecord["scope"];
  /** The files that the rules are about, as globs. */
  readonly about?: readonly string[];
}

/** What memo or another tool has generated into it, between a pair of marks. */
const GENERATED = /^<!--\s*(\S+):START\b.*?-->[^]*?^<!--\s*\1:END\b.*?-->[ \t]*$/gim;
const COMMENT = /<!--[^]*?-->/g;
const ITEM = /^[-*+][ \t]+/;
/** An item with fewer words says what it means only with its heading. */
const WORDS_ALONE = 4;
/** An item of one word beside code is no rule: a list of commands or parts is kept whole. */
const LEAST_WORDS = 2;
/** Maximum characters that say what a table or a block of code is about. */
const ABOUT_CHARS = 120;

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

/** A text without what tools have generated into it, and without comments. */
export function written(text: string): string {
  return text.replace(GENERATED, "").replace(COMMENT, "");
}

/** The memories of a text of instructions. */
export function rulesOf(text: string, { prefix, scope, about = [] }: RulesOptions): SourceRecord[] {
  const records = new Map<string, SourceRecord>();
  const files = about.map((glob) => `\`${glob}\``).join(", ");
  const title = titleIn(text);
  for (const section of sectionsOf(text)) {
    // The title of a document, such as the project's name, says nothing of a rule.
    const isBelowTitle = section.headings.length === 1 && section.headings[0] === title;
    for (const content of contentsOf(isBelowTitle ? { ...section, headings: [] } : section)) {
      const id = `${prefix}#${shortId(`${section.headings.join("/")}\n${content.name}`)}`;
      const body = files === "" ? content.body : `${content.body}\n\nApplies to ${files}.`;
      if (!records.has(id)) records.set(id, { id, scope, content: { ...content, body } });
    }
  }
  return [...records.values()];
}

/** The heading of the first level, if it is the first and the only one. */
function titleIn(text: string): string | undefined {
  const headings = [...linesOf(text)].filter(({ isCode }) => !isCode)
    .flatMap(({ line }) => /^(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(line) ?? []);
  const levels = headings.filter((_, i) => i % 3 === 1);
  const isTitle = levels.indexOf("#") === 0 && levels.lastIndexOf("#") === 0;
  return isTitle ? headings[2] : undefined;
}

/** Consecutive lines of a section: a list, or anything else. */
type Block =
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "text"; readonly text: string };

/** A section whose lists are rules gives one memory for each of these, and one for each text between them. */
function* contentsOf({ headings, text }: Section): Generator<Content> {
  const heading = headings.at(-1) ?? "";
  const said = headings.toReversed().join(" ");
  // A rule is one under any heading, as it is when it is typed.
  const typed = (body: string) =>
    isPersonal(body) || isRule(body)
      ? "feedback"
      : TYPE_OF.find(([word]) => word.test(said))?.[1] ?? "project";
  const whole = (body: string) =>
    contentOf(body, {
      type: typed(body),
      ...heading !== "" && { name: heading, description: aboutOf(body) },
    });
  const blocks = blocksOf(text);
  const items = blocks.flatMap((block) => block.kind === "list" ? block.items : []);
  const isSentence = (item: string) => hasWords(item.replace(/`[^`\n]*`/g, ""), LEAST_WORDS);
  if (items.length === 0 || !items.every(isSentence)) {
    yield whole(text);
    return;
  }
  for (const [i, block] of blocks.entries()) {
    if (block.kind === "text") {
      // What ends in a colon introduces the list behind it.
      if (!block.text.endsWith(":") || blocks[i + 1] === undefined) yield whole(block.text);
      continue;
    }
    const before = blocks[i - 1];
    const intro = before?.kind === "text" && before.text.endsWith(":")
      ? titleOf(before.text.slice(0, -1)).sentence
      : "";
    for (const item of block.items) yield ruleOf(item, { heading, intro, type: typed(item) });
  }
}

function ruleOf(
  item: string,
  { heading, intro, type }: Record<"heading" | "intro" | "type", string>,
): Content {
  const tags = heading !== "" && heading.length <= 30 ? [slug(heading)] : [];
  const content = contentOf(item, { type, tags, ...intro !== "" && { description: intro } });
  if (heading === "" || hasWords(item, WORDS_ALONE)) return content;
  return { ...content, name: `${heading}: ${content.name}`, description: intro };
}

function hasWords(text: string, least: number): boolean {
  return (text.match(/[\p{L}\p{N}'’-]+/gu) ?? []).length >= least ||
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text);
}

function blocksOf(text: string): Block[] {
  const blocks: ({ kind: "list"; items: string[] } | { kind: "text"; text: string })[] = [];
  for (const { line, isCode } of linesOf(text)) {
    const last = blocks.at(-1);
    if (!isCode && ITEM.test(line)) {
      const item = line.replace(ITEM, "");
      if (last?.kind === "list") last.items.push(item);
      else blocks.push({ kind: "list", items: [item] });
    } else if (last?.kind === "list" && (/^[ \t]+\S/.test(line) || line.trim() === "")) {
      last.items.push(`${last.items.pop()}\n${line.replace(/^[ \t]{1,4}/, "")}`);
    } else if (last?.kind === "text") last.text += `\n${line}`;
    else blocks.push({ kind: "text", text: line });
  }
  return blocks.map((block): Block =>
    block.kind === "text"
      ? { kind: "text", text: block.text.trim() }
      : { kind: "list", items: block.items.map((item) => item.trim()) }
  ).filter((block) => block.kind === "list" || block.text !== "");
}

/** One line on a text: its first sentence, a list's items, a table's first column, or the first line of a block of code. */
function aboutOf(text: string): string {
  const lines = [...linesOf(text)].filter(({ line }) => line.trim() !== "");
  const [first] = lines;
  if (first === undefined) return "";
  if (first.isCode) {
    const code = lines.find(({ line, isCode }) => isCode && !/^\s*(?:`{3}|~{3})/.test(line));
    return shorten(code?.line.trim() ?? "", ABOUT_CHARS);
  }
  if (ITEM.test(first.line)) {
    const items = lines.filter(({ line }) => ITEM.test(line)).map(({ line }) => titleOf(line).name);
    return shorten(items.join(", "), ABOUT_CHARS);
  }
  if (!first.line.startsWith("|")) return titleOf(text).sentence;
  const rows = lines.map(({ line }) => line).filter((line) => line.startsWith("|")).slice(2);
  const cells = rows.map((row) => row.split("|")[1]!.trim()).filter((cell) => cell !== "");
  return shorten(cells.join(", "), ABOUT_CHARS);
}
