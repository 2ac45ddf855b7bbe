// What people wrote in a Markdown file: without comments, and without the blocks that tools keep up to date in it.

import { linesOf } from "./split.ts";

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
  for (const [i, token] of tokens.entries()) {
    const { comment, tag } = token.groups!;
    if (token.index < at || (comment ?? tag) === undefined) continue;
    const end = comment === undefined ? undefined : tokens.slice(i + 1).find(endsWhat(comment));
    if (end !== undefined || tag !== undefined) leftOut.push(token[0].split("\n", 1)[0]!);
    kept += token.input.slice(at, token.index);
    at = (end ?? token).index + (end ?? token)[0].length;
  }
  return { text: kept + (tokens[0]?.input ?? text).slice(at), leftOut };
}

/** Whether a comment ends what another begins: `X:START` and `X:END`, `BEGIN:x` and `END:x`, `x` and `/x`. */
function endsWhat(comment: string): (token: RegExpExecArray) => boolean {
  const said = comment.trim().toLowerCase();
  const begun = markIn(said, "start|begin");
  const word = said.split(/[\s,]/, 1)[0]!;
  return ({ groups }) => {
    const end = groups!["comment"]?.trim().toLowerCase();
    if (end === undefined) return false;
    return end === `/${word}` || (begun !== undefined && markIn(end, "end") === begun);
  };
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
