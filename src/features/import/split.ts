// Cuts Markdown into parts of the size of a note: at headings, else between paragraphs, never inside a code block; and
// finds what people wrote in it, without comments and the blocks that tools keep up to date.

import { linesOf } from "../../core/text/markdown.ts";

/** A part of a document. */
export interface DocumentSection {
  /** Its headings from the document's title down, without marks. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** A document up to this many characters is kept whole. */
export const LONGEST = 12_000;

const HEADING = /^(#{1,6})[ \t]+([^]*)$/;
/** Marks behind a heading. */
const HEADING_END = /(?<![ \t#])[ \t]*#*[ \t]*$/;

/** The marks of a heading, and its text; undefined of any other line. */
export function headingIn(line: string): readonly [marks: string, text: string] | undefined {
  const [, marks, text] = HEADING.exec(line) ?? [];
  return marks === undefined ? undefined : [marks, text!.trim().replace(HEADING_END, "")];
}

/** The sections of a document in order; those that are a heading alone have an empty text. */
export function sectionsOf(text: string): DocumentSection[] {
  const sections: DocumentSection[] = [];
  const path: string[] = [];
  let lines: string[] = [];
  const close = () => {
    const body = lines.join("\n").replace(/^(?:[ \t]*\n)+/, "").trimEnd();
    const headings = path.filter((name) => name !== "");
    if (body !== "" || headings.length > 0) sections.push({ headings, text: body });
    lines = [];
  };
  for (const { line, isCode } of linesOf(text)) {
    const [marks, title] = (isCode ? undefined : headingIn(line)) ?? [];
    if (marks === undefined) {
      lines.push(line);
      continue;
    }
    close();
    path.length = Math.min(path.length, marks.length - 1);
    while (path.length < marks.length - 1) path.push("");
    path.push(title!);
  }
  close();
  return sections;
}

/** A document in parts of at most `longest` characters, unless one line or code block alone is longer. */
export function parts(text: string, longest = LONGEST): DocumentSection[] {
  if (text.length <= longest) return [{ headings: [], text }];
  const result: DocumentSection[] = [];
  for (const section of sectionsOf(text)) {
    const heading = section.headings.at(-1);
    for (const part of section.text === "" ? [] : paragraphs(section.text, longest)) {
      const last = result.at(-1);
      const titled = heading === undefined ? part : `## ${heading}\n\n${part}`;
      if (last !== undefined && last.text.length + titled.length + 2 <= longest) {
        const isSame = last.headings.at(-1) === heading;
        const text = `${last.text}\n\n${isSame ? part : titled}`;
        result[result.length - 1] = { ...last, text };
      } else result.push({ headings: section.headings, text: titled });
    }
  }
  return result;
}

/** A text in parts of whole paragraphs, and of whole lines where a paragraph is too long. */
function paragraphs(text: string, longest: number): string[] {
  if (text.length <= longest) return [text];
  const result: string[] = [];
  let part = "";
  for (const { line, isCode } of linesOf(text)) {
    const isBreak = !isCode && line.trim() === "";
    const isFull = part.length + line.length > longest || (isBreak && part.length > longest / 2);
    if (isFull && (!isCode || part.length > 2 * longest) && part.trim() !== "") {
      result.push(part.trim());
      part = "";
    }
    part += line + "\n";
  }
  if (part.trim() !== "") result.push(part.trim());
  // A text without line ends is cut all the same: no memory is longer than a file that is read whole.
  const piece = new RegExp(`[^]{1,${4 * longest}}`, "g");
  return result.flatMap((each) => each.match(piece) ?? []).map((each) => each.toWellFormed());
}

/** Code, which is kept; a comment; or a block in a tag of a tool's own: HTML has no name with a hyphen. The first to begin counts. */
const TOKEN = new RegExp(
  [
    "^[ \\t]*(?<fence>`{3,}|~{3,})[^]*?(?:^[ \\t]*\\k<fence>[`~]*[ \\t]*$|(?![^]))",
    "(?<!`)(?<span>`+)(?!`)(?:(?!\\n[ \\t]*\\n)[^])*?(?<!`)\\k<span>(?!`)",
    "<!--(?<comment>[^]*?)-->",
    "^<(?<tag>[a-z]+(?:-[a-z]+)+)(?:[ \\t][^>\\n]*)?>[ \\t]*$[^]*?^</\\k<tag>>[ \\t]*$",
  ].join("|"),
  "gm",
);

/** A text without comments and generated blocks, and the lines that the latter begin with. */
export function written(text: string): { readonly text: string; readonly leftOut: string[] } {
  const tokens = [...text.replaceAll("\r\n", "\n").matchAll(TOKEN)];
  const leftOut: string[] = [];
  let kept = "";
  let at = 0;
  const ends = tokens.map(({ groups }) => groups!["comment"]?.trim().toLowerCase())
    .map((said) => ({ said, of: said === undefined ? undefined : markIn(said, "end") }));
  for (const [i, token] of tokens.entries()) {
    const { comment, tag } = token.groups!;
    if (token.index < at || (comment ?? tag) === undefined) continue;
    const end = comment === undefined ? undefined : tokens[endOf(comment, ends, i + 1)];
    if (end !== undefined || tag !== undefined) leftOut.push(token[0].split("\n", 1)[0]!);
    kept += token.input.slice(at, token.index);
    at = (end ?? token).index + (end ?? token)[0].length;
  }
  return { text: kept + (tokens[0]?.input ?? text).slice(at), leftOut };
}

/** Which comment ends what another begins: `X:START` and `X:END`, `BEGIN:x` and `END:x`, `x` and `/x`; -1: none. */
function endOf(
  comment: string,
  ends: readonly { readonly said: string | undefined; readonly of: string | undefined }[],
  from: number,
): number {
  const begins = comment.trim().toLowerCase(), begun = markIn(begins, "start|begin");
  const last = `/${begins.split(/[\s,]/, 1)[0]!}`;
  for (let i = from; i < ends.length; i++) {
    const { said, of } = ends[i]!;
    if (said === last || begun !== undefined && said !== undefined && of === begun) return i;
  }
  return -1;
}

/** What stands before a word of a mark, or else behind it; a formatter that is told to ignore lines has not written them. */
function markIn(said: string, word: string): string | undefined {
  const mark = `^(.*?)(?<![a-z])(?:${word})(?![a-z])[\\s:_-]*(?!of\\b)([\\w.:/-]*\\w)?`;
  const [, before = "", after] = new RegExp(mark).exec(said) ?? [];
  if (before.includes("ignore")) return undefined;
  return before === "" ? after && `:${after}` : before;
}

const UNDERLINE = /^ {0,3}(?:(=)=+|---+)[ \t]*$/;
/** A ruler, or the end of a tag: neither says anything. */
const RULER = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$|^<\/[\w-]+>[ \t]*$/;
/** What no underlined heading is: an item, a quotation, a heading, a row, or a sentence above a ruler. */
const NO_TITLE = /^\s*(?:$|[-*+>#|]\s|\d+[.)]\s|\|)|[.!?。:：|]$/;

/** A text with each underlined heading as a line with `#`, and without rulers and the ends of tags. */
export function withHashes(text: string): string {
  const lines: string[] = [];
  let wasCode = false;
  for (const { line, isCode } of linesOf(text)) {
    const underline = isCode || wasCode ? null : UNDERLINE.exec(line);
    const [above = "", title = ""] = ["", "", ...lines].slice(-2);
    if (underline !== null && !NO_TITLE.test(title) && /^\s*(?:#.*)?$/.test(above)) {
      lines[lines.length - 1] = `${underline[1] === undefined ? "##" : "#"} ${title.trim()}`;
    } else lines.push(!isCode && RULER.test(line) ? "" : line);
    wasCode = isCode;
  }
  return lines.join("\n");
}
