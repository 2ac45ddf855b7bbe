// Instructions in Markdown, such as CLAUDE.md, as memories: one for each item of a list, one for any other text.

import { isPersonal } from "../../core/memory/types.ts";
import { sentencesOf, shorten, slug, titleOf } from "../../core/memory/title.ts";
import { isForbidding, isGeneral, isRule } from "../../core/text/rule.ts";
import { contentOf, type RecordContent, shortId, type SourceRecord } from "./record.ts";
import { HEADING, linesOf, sectionsOf, withHashes } from "./split.ts";

const ITEM = /^([ \t]*)(?:[-*+]|(\d{1,9}[.)]))[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/;
/** An item with fewer words says what it means only with its heading, whatever that is. */
const WORDS_ALONE = 4;
/** An item of one word beside code is no rule: a list of commands or parts is kept whole. */
const LEAST_WORDS = 2;
/** A line above a list without a colon introduces it if it is bold, or short, names no file and does not end a sentence. */
const LABEL = /^(?:\*\*[^*\n]+\*\*|(?!.*(?:@|\.\w)).{0,59}[^\s.!?。！？…'"”’)*_|])$/u;
/** What leads to an item in so many characters at most stands in its name; behind more of them the list is kept whole. */
const LEAD_CHARS = 60;
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

/** A heading of such words alone is a mere topic: it changes nothing of what its items say. */
const TOPIC = new RegExp(
  `^(?:(?:${
    TYPE_OF.filter(([, type]) => type !== "gotcha").map(([{ source }]) => source).join("|")
  })(?:s|n?ing|ment|ure|ion|ation)?|and|the|of)$`,
  "i",
);

/** A memory of a text, and what tells it from the others of its section at the next import. */
type Keyed = readonly [key: string, content: RecordContent];

/** The memories of a text of instructions. */
export function rulesOf(
  text: string,
  { prefix, scope, about = [] }: Pick<SourceRecord, "scope"> & {
    /** What the id of each record begins with. */
    readonly prefix: string;
    /** The files that the rules are about, as globs. */
    readonly about?: readonly string[];
  },
): SourceRecord[] {
  const records = new Map<string, SourceRecord>();
  const files = about.map((glob) => `\`${glob}\``).join(", ");
  const hashed = withHashes(text);
  const title = titleIn(hashed);
  const sections = sectionsOf(hashed);
  for (const [i, { headings, text }] of sections.entries()) {
    // The title of a document, such as the project's name, says nothing of a rule, unless it forbids what stands below it.
    const isTitled = headings[0] === title && !(headings.length === 1 && isForbidding(title ?? ""));
    const path = headings.slice(isTitled ? 1 : 0).map(withoutMarks);
    const isParent = (sections[i + 1]?.headings.length ?? 0) > headings.length;
    const contents = text !== "" ? contentsOf(path, text) : isParent ? [] : ofHeading(path);
    for (const [key, content] of contents) {
      const body = files === "" ? content.body : `${content.body}\n\nApplies to ${files}.`;
      const first = `${prefix}#${shortId(`${headings.join("/")}\n${key}`)}`;
      const earlier = records.get(first)?.content.body;
      const id = earlier === undefined || earlier === body ? first : `${first}-${shortId(body)}`;
      records.set(id, { id, scope, content: { ...content, body } });
    }
  }
  return [...records.values()];
}

/** The heading of the first level, if it is the first and the only one. */
function titleIn(text: string): string | undefined {
  const headings = [...linesOf(text)].flatMap(({ line, isCode }) =>
    isCode ? [] : HEADING.exec(line)?.slice(1) ?? []
  );
  return headings[0] === "#" && !headings.includes("#", 2) ? headings[1] : undefined;
}

/** Consecutive lines of a section, and the items if they are a list. */
interface RuleBlock {
  readonly lines: string[];
  readonly list?: {
    readonly items: string[];
    readonly indent: number;
    readonly isNumbered: boolean;
  };
}

/** Of each list of rules a memory for each of these, and one for each other text, with the lists that are none. */
function* contentsOf(headings: readonly string[], text: string): Generator<Keyed> {
  let above = "", hasList = false;
  // What a heading forbids is the list below it: neither a text behind that, nor steps with an introduction of their own.
  const others = headings.filter((heading) => !isForbidding(heading));
  const whole = (part: string): Keyed[] => {
    // A tag alone says nothing.
    const isSaid = /[\p{L}\p{N}]/u.test(part.replace(/<[^<>]*>/g, ""));
    return isSaid ? [wholeOf(part, hasList ? others : headings, part === text.trim())] : [];
  };
  for (const { lines, list } of blocksOf(text)) {
    const [rest, intro] = parted(above.trim());
    const areSteps = hasList && intro !== "" && list?.isNumbered === true;
    const context = [...(areSteps ? others : headings), intro];
    if (list !== undefined && areRules(list, context) && !forbidsWhole(rest, intro)) {
      yield* whole(rest);
      for (const item of list.items) yield ruleOf(item.trim(), context);
      above = "";
      hasList = true;
    } else above += lines.join("\n") + "\n";
  }
  yield* whole(above.trim());
}

/** Whether the items of a list are rules that can be read alone, with what leads to each. */
function areRules(
  { items, isNumbered }: NonNullable<RuleBlock["list"]>,
  context: readonly string[],
): boolean {
  const isSentence = (item: string) => hasWords(item.replace(/`[^`\n]*`/g, ""), LEAST_WORDS);
  // Steps are kept together; they oblige to less than rules do, once something stands before them.
  const lead = leadOf(context);
  if (lead.length > LEAD_CHARS) return false;
  if (!isNumbered) return items.every(isSentence) || isForbidding(lead);
  const rules = items.filter((item) => isRule(withLead(item, leadOf(context, item))));
  return rules.length >= items.length / 2;
}

/** Whether a text above a list is one sentence that forbids, and introduces the list perhaps: they are kept together. */
function forbidsWhole(text: string, intro: string): boolean {
  const last = text.split(/\n[ \t]*\n/).at(-1)!;
  return intro === "" && isForbidding(last) && beginOfLast(last) === 0;
}

function ruleOf(item: string, context: readonly string[]): Keyed {
  const lead = leadOf(context, item);
  const body = withLead(item, lead);
  const key = titleOf(item).name;
  const heading = context.slice(0, -1).at(-1) ?? "";
  const tags = heading !== "" && heading.length <= 30 ? [slug(heading)] : [];
  const type = typeOf(item, context, isRule(item) || limits(lead));
  return [key, contentOf(body, { type, tags, name: nameOf(body) })];
}

/** The title of a text; one that only announces what stands below it says what that is. */
function nameOf(text: string): string {
  const { name } = titleOf(text);
  const [, rest = ""] = /[:：][*_]*$/.test(name) ? text.split(/\n([^]*)/, 2) : [];
  return shorten(`${name} ${aboutOf(rest)}`.trim(), ABOUT_CHARS);
}

function wholeOf(text: string, headings: readonly string[], isAll: boolean): Keyed {
  const lead = leadOf(headings, "");
  const type = typeOf(text, headings, isRule(text) || limits(lead));
  const heading = headings.at(-1);
  if (heading === undefined) {
    return [titleOf(text).name, contentOf(text, { type, name: nameOf(text) })];
  }
  const about = aboutOf(text);
  // Beside the memories of a list, the heading alone would promise the whole section.
  const said = about.replace(/[.。]$/, "");
  const name = isAll ? lead : `${lead}: ${shorten(said, ABOUT_CHARS)}`;
  const content = contentOf(text, { type, name, description: about });
  const isNamed = !isAll && name.endsWith(said);
  return [isAll ? heading : name, isNamed ? { ...content, description: "" } : content];
}

/** A heading with nothing below it is a rule, or nothing. */
function ofHeading(headings: readonly string[]): Keyed[] {
  const text = headings.at(-1) ?? "";
  if (!isRule(text) && !isForbidding(text) && !isGeneral(text)) return [];
  return [ruleOf(text, [...headings.slice(0, -1), ""])];
}

/** A rule is one under any heading, as it is when it is typed. */
function typeOf(text: string, context: readonly string[], isBinding: boolean): string {
  if (isBinding || isPersonal(text)) return "feedback";
  const said = context.toReversed().join(" ");
  return TYPE_OF.find(([word]) => word.test(said))?.[1] ?? "project";
}

/**
 * What leads to an item, of the headings and the line above it: the nearest, unless it is a mere topic, since nobody knows
 * in every language whether it forbids or limits; and of those above it what does so in a known one.
 */
function leadOf(context: readonly string[], item?: string): string {
  const said = context.filter((each) => each !== "");
  const isShort = item !== undefined && !hasWords(item, WORDS_ALONE);
  return said.filter((each, i) =>
    i === said.length - 1 && (isShort || !isTopic(each)) || limits(each)
  ).join(": ");
}

/** Whether a heading forbids, orders, or begins with a condition. */
function limits(heading: string): boolean {
  return isForbidding(heading) || isRule(heading) || isGeneral(heading.split(" ", 1)[0]!);
}

function withLead(item: string, lead: string): string {
  return lead === "" ? item : `${lead}: ${item}`;
}

function isTopic(heading: string): boolean {
  const words = heading.match(/[\p{L}\p{N}'’]+/gu) ?? [];
  return words.length > 0 && words.every((word) => TOPIC.test(word));
}

/** A heading or an introduction without what makes it bold, and without its colon; of a tag its name. */
function withoutMarks(text: string): string {
  const [, tag] = /^<([\w-]+)[^<>]*>$/.exec(text.trim()) ?? [];
  if (tag !== undefined) return tag.replace(/[_-]+/g, " ");
  return text.replace(/\*\*|__|^[*_>\s]+|(?<=[:：])[*_]+$/g, "").replace(/\s+/g, " ").trim()
    .replace(/[*_\s:：.。]+$/, "");
}

/** A text without what introduces a list below it, and that: its last sentence, if it ends in a colon, or a label. */
function parted(text: string): readonly [rest: string, intro: string] {
  const last = text.split(/\n[ \t]*\n/).at(-1)!;
  const isLed = /[:：][*_]*$/.test(last);
  const isOther = /^(?:[|>]|!?\[)|\|$|^[ \t]*(?:`{3}|~{3})/m.test(last);
  if (isOther || !isLed && !LABEL.test(last)) return [text, ""];
  const at = text.length - last.length + (isLed ? beginOfLast(last) : 0);
  return [text.slice(0, at).trim(), withoutMarks(text.slice(at))];
}

/** Where the last sentence of a paragraph begins, or its last line, if that begins in bold. */
function beginOfLast(paragraph: string): number {
  const bold = paragraph.lastIndexOf("\n**");
  const sentences = sentencesOf(paragraph.replaceAll("\n", " "));
  return Math.max(bold + 1, paragraph.trimEnd().length - sentences.at(-1)!.length);
}

function hasWords(text: string, least: number): boolean {
  return (text.match(/[\p{L}\p{N}'’-]+/gu) ?? []).length >= least ||
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text);
}

function blocksOf(text: string): RuleBlock[] {
  const blocks: RuleBlock[] = [];
  let above = "", indentOfCode: number | undefined;
  for (const { line, isCode } of linesOf(text)) {
    const last = blocks.at(-1);
    const [mark, indent = "", number] = isCode ? [] : ITEM.exec(line) ?? [];
    const depth = indent.replaceAll("\t", "    ").length;
    const isItem = mark !== undefined && depth <= (last?.list?.indent ?? 2) + 1;
    const isNumbered = number !== undefined;
    if (isItem && last?.list?.isNumbered !== isNumbered) {
      blocks.push({ lines: [], list: { items: [], indent: depth, isNumbered } });
    } else if (last === undefined || !isItem && !isCode && !goesOn(line, above, last)) {
      blocks.push({ lines: [] });
    }
    const { lines, list } = blocks.at(-1)!;
    lines.push(line);
    indentOfCode = isCode ? indentOfCode ?? line.search(/\S|$/) : undefined;
    const inner = line.slice(Math.min(line.search(/[^ \t]|$/), indentOfCode ?? 4, 4));
    if (isItem) list!.items.push(line.slice(mark.length));
    else list?.items.push(`${list.items.pop()}\n${inner}`);
    above = line;
  }
  return blocks;
}

/** Whether a line belongs to the item above it: it is indented, a row that the item announces, or goes on with its paragraph. */
function goesOn(line: string, above: string, { list }: RuleBlock): boolean {
  if (list === undefined || /^[ \t]|^$/.test(line)) return true;
  if (line.startsWith("|")) {
    return above.startsWith("|") || /[:：][*_]*\s*$/.test(list.items.at(-1)!);
  }
  return above.trim() !== "" && !/^[>#<]|[:：][*_]*$|^\*\*[^*]+\*\*$/.test(line);
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
    const items = lines.filter(({ line }) => ITEM.test(line))
      .map(({ line }) => titleOf(line.replace(ITEM, "")).name);
    return shorten(items.join(", "), ABOUT_CHARS);
  }
  if (!first.line.startsWith("|")) return titleOf(text).sentence;
  const rows = lines.map(({ line }) => line).filter((line) => line.startsWith("|")).slice(2);
  const cells = rows.map((row) => row.split("|")[1]!.trim()).filter((cell) => cell !== "");
  return shorten(cells.join(", "), ABOUT_CHARS);
}
