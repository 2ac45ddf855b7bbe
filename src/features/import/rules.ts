// Instructions in Markdown, such as CLAUDE.md, as memories: one for each rule of a list, one for each other paragraph.

import { isPersonal } from "../../core/memory/types.ts";
import { sentencesOf, shorten, slug, titleOf } from "../../core/memory/title.ts";
import { isForbidding, isGeneral, isRule } from "../../core/text/rule.ts";
import { withGlobs } from "../../core/memory/applies.ts";
import { contentOf, type RecordContent, shortId, type SourceRecord } from "./record.ts";
import { linesOf } from "../../core/text/markdown.ts";
import { headingIn, sectionsOf, withHashes } from "./split.ts";

const ITEM = /^([ \t]*)(?:[-*+]|(\d{1,9}[.)]))[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/;
/** An item with fewer words says what it means only with its heading, whatever that is. */
const WORDS_ALONE = 4;
/** An item of one word beside code is no rule: a list of commands or parts is kept whole. */
const LEAST_WORDS = 2;
/** A line above a list without a colon introduces it if it is bold, or short, names no file and does not end a sentence. */
const LABEL = /^(?:\*\*[^*\n]+\*\*|(?!.*(?:@|\.\w)).{0,59}[^\s.!?。！？…'"”’)*_|])$/u;
/** What leads to an item in so many characters at most stands in its name; behind more of them the list is kept whole. */
const LEAD_CHARS = 60;
/** Maximum characters of a name, and of what explains it. */
const NAME_CHARS = 120, ABOUT_CHARS = 200;

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
  { prefix, scope, globs = [] }: Pick<SourceRecord, "scope"> & {
    /** What the id of each record begins with. */
    readonly prefix: string;
    /** The files that the rules are for. */
    readonly globs?: readonly string[];
  },
): SourceRecord[] {
  const records = new Map<string, SourceRecord>();
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
      const body = withGlobs(content.body, globs);
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
    isCode ? [] : headingIn(line) ?? []
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
  const whole = (part: string): Keyed[] =>
    statementsIn(part).map((each) => statementOf(each, hasList ? others : headings));
  for (const { lines, list } of blocksOf(text)) {
    const [rest, intro] = parted(above.trim());
    const areSteps = hasList && intro !== "" && list?.isNumbered === true;
    const context = [...(areSteps ? others : headings), intro];
    const rules = list === undefined || forbidsWhole(rest, intro) ? [] : rulesIn(list, context);
    if (list !== undefined && rules.length > 0) {
      const kept = list.items.filter((item) => !rules.includes(item))
        .map((item) => `- ${item.trim().replaceAll("\n", "\n  ")}`);
      yield* whole(kept.length === 0 ? rest : [above.trim(), ...kept].join("\n"));
      for (const item of rules) yield ruleOf(item.trim(), context);
      above = "";
      hasList = true;
    } else above += lines.join("\n") + "\n";
  }
  yield* whole(above.trim());
}

/** The items of a list that are rules and can be read alone, with what leads to each: all of them, or those among others. */
function rulesIn(
  { items, isNumbered }: NonNullable<RuleBlock["list"]>,
  context: readonly string[],
): readonly string[] {
  const isSentence = (item: string) => hasWords(item.replace(/`[^`\n]*`/g, ""), LEAST_WORDS);
  // Steps are kept together; they oblige to less than rules do, once something stands before them.
  const lead = leadOf(context);
  if (lead.length > LEAD_CHARS) return [];
  const rules = items.filter((item) => isRule(withLead(item, leadOf(context, item))));
  if (isNumbered) return rules.length >= items.length / 2 ? items : [];
  if (items.every(isSentence) || isForbidding(lead)) return items;
  return rules.filter(isSentence);
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
  return [key, titled(body, "", { type, tags })];
}

/** A text in parts that can each be read alone: a paragraph with the code, the table, the list or the quotation below it. */
function statementsIn(text: string): string[] {
  const parts: string[] = [];
  let isOpen = false; // what comes next belongs to the part above it
  for (const { line, isCode } of linesOf(text)) {
    const isSentence = !isCode && line.trim() !== "" && !NO_SENTENCE.test(line);
    const isNext = parts.length === 0 || isSentence && isOpen && !parts.at(-1)!.endsWith(":\n\n");
    if (isNext) parts.push("");
    isOpen = !isCode && line.trim() === "" || isOpen && !isSentence;
    parts[parts.length - 1] += `${line}\n`;
  }
  // A tag alone says nothing.
  return parts.map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part.replace(/<[^<>]*>/g, "")));
}

/** What begins no sentence of its own: a list, a table, a quotation, code, or what goes on with an item. */
const NO_SENTENCE = /^(?:\s|[-*+>|]\s|\||\d{1,9}[.)]\s|`{3}|~{3})/;

/** A memory of a part that is no rule of a list. */
function statementOf(text: string, headings: readonly string[]): Keyed {
  const lead = leadOf(headings, "");
  const type = typeOf(text, headings, isRule(text) || limits(lead));
  const body = limits(lead) ? withLead(text, lead) : text;
  const content = titled(text, lead, { type });
  return [content.name!, { ...content, body }];
}

/** A text as a memory, named by its first sentence and the one that obliges; what has no room there describes it. */
function titled(text: string, lead: string, given: Partial<RecordContent>): RecordContent {
  const [first = "", ...others] = sayingsOf(text);
  const rule = isRule(first) ? undefined : others.find((each) => isRule(each));
  const said = rule === undefined ? first : `${first} ${rule}`;
  const whole = withLead(said.replace(/[:：]$|(?<![.。])[.。]$/, ""), lead);
  const name = shorten(whole, NAME_CHARS);
  const rest = others.filter((each) => each !== rule).join(" ");
  const description = shorten(name === whole ? rest : whole, ABOUT_CHARS);
  return { ...contentOf(text, { ...given, name }), description };
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

/**
 * The sentences of a text's first paragraph, without marks; one that only announces what stands below it says what that is.
 * Of a list its items, of a table its first two columns, of a block of code its first line.
 */
function sayingsOf(text: string): string[] {
  const lines = [...linesOf(text)].filter(({ line }) => line.trim() !== "");
  const [first] = lines;
  if (first === undefined) return [];
  if (first.isCode) {
    const code = lines.find(({ line, isCode }) => isCode && !/^\s*(?:`{3}|~{3})/.test(line));
    return [code?.line.trim() ?? ""];
  }
  if (ITEM.test(first.line)) {
    const items = lines.filter(({ line }) => ITEM.test(line)).map(({ line }) =>
      line.replace(ITEM, "")
    );
    return [items.map((item) => titleOf(plain(item)).name).join(", ")];
  }
  if (first.line.startsWith("|")) {
    const rows = lines.map(({ line }) => line).filter((line) => line.startsWith("|")).slice(2);
    const cells = rows.map((row) =>
      row.split("|").slice(1, 3).map((cell) => cell.trim()).filter((cell) => cell !== "").join(": ")
    );
    return [plain(cells.filter((cell) => cell !== "").join(", "))];
  }
  const [paragraph = "", rest] = text.split(
    /\n(?=[ \t]*\n|[ \t]*(?:[-*+>|]|\d+[.)])[ \t]|[ \t]*(?:`{3}|~{3}))([^]*)/,
    2,
  );
  const sentences = sentencesOf(plain(paragraph.replace(/\s+/g, " "))).map((each) => each.trim());
  const last = sentences.at(-1) ?? "";
  if (!/[:：]$/.test(last)) return sentences;
  return [
    ...sentences.slice(0, -1),
    `${last} ${sayingsOf((rest ?? "").trim().slice(0, AHEAD))[0] ?? ""}`.trim(),
  ];
}

/** Characters that are looked at for what a sentence announces. */
const AHEAD = 1000;

/** A text as it is read: links by their words, nothing bold; code stays as it is. */
function plain(text: string): string {
  return text.trim().split(/(`+[^`]*`+)/).map((part, i) =>
    i % 2 === 1 ? part : part.replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, "$1").replaceAll("**", "")
  ).join("").replace(/\[(`+[^`]*`+)\]\([^()\s]*\)/g, "$1");
}
