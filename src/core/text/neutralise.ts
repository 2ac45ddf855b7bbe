// Text from memories arrives with the authority of the system on current models. It is data: nothing in it
// may close the block it stands in, open another, or look like a message of Claude Code itself.

/** Prefixes of tags that mean something to Claude Code or the model, and of the block's own. */
const RESERVED =
  /^(?:auto-loaded-memory|system|task-notification|command-|local-command|bash-(?:input|std)|user-prompt|persisted-output|tool_|function_|antml:|human|assistant|user|instructions?|important|developer|reminder|(?:start|end)_of_turn)/;
/** Opening brackets that look like one, and the name that follows. */
const TAG =
  /(?<bracket>[<\uff1c\ufe64\u2039\u27e8\u3008\u276e\u02c2])(?<name>\s{0,20}[/\uff0f\u2215\u2044]?\s{0,20}[\p{L}\p{M}\p{N}_:.\u2010-\u2015\u2212-]{1,60})(?!\()/gu;
/** What follows the name in a tag, as no link or address has it. */
const REST = /^(?:\s[^<>]{0,500})?\/?[>\uff1e\ufe65]/;
/** Markdown's code: in it a tag is an example, unless Claude Code itself could have written it. */
const CODE =
  /^[ \t]{0,3}(?<fence>`{3,}|~{3,})[^]*?(?:^[ \t]{0,3}\k<fence>|(?![^]))|(?<!`)(?<ticks>`+)(?!`)[^\n]*?(?<!`)\k<ticks>(?!`)/gm;

/** What chat templates of other models put between messages: `<|im_start|>`, `[INST]`. */
const TEMPLATE_TAG =
  /(?<square>\[)(?=\s{0,20}\/?\s{0,20}(?:INST|SYS)\s{0,20}\])|[<\uff1c\ufe64](?=\s{0,20}[|\uff5c][\p{L}\p{M}\p{N}_\u2581-]{1,40}[|\uff5c])/gu;

/** Who speaks, at the beginning of a line: a new message begins so. Markup around it changes nothing. */
const SPEAKERS: readonly string[] = ["human", "assistant", "system"];
const SPEAKER =
  /^(?=[ \t*_#[("'`~]{0,20}(?<name>[\p{L}\p{M}\p{N}]{5,20})[ \t*_\])"'`~]{0,20}[:\uff1a\ufe55])/gmu;
/** The words that Claude Code puts before a hook's text. */
const HOOK_LINE = /^(?=[ \t]*\w+ hook (?:additional context|success|error))/gim;

/**
 * Characters that are read but not seen: controls, those that Unicode lets a display ignore, those that turn the
 * direction of a text, annotations, and separators of lines that are no line feed.
 */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/u;
/**
 * Joiners that a script is spelt with, and those within an emoji: one each, where they change what is seen. A letter
 * or mark beside them that is itself taken out counts for nothing.
 */
const SPELT =
  /(?<=(?!\p{Default_Ignorable_Code_Point})[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}])[\u200c\u200d](?!\p{Default_Ignorable_Code_Point})(?=[\p{L}\p{M}])|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[\d#*])\ufe0f(?=\u20e3)/u;
const UNSEEN = new RegExp(`(?<kept>${SPELT.source})|${INVISIBLE.source}`, "gu");

/** Letters of other scripts that look like Latin ones, where compatibility forms do not tell (UTS 39). */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [..."аaеeоoрpсcуyхxіiјjѕsһhԁdɡgӏlмmтtкkнhαaεeοoρpτtυuνvιiκkηnսuոnօo"].map((char, i, all) =>
    [char, all[i + 1] ?? ""] as const
  ).filter((_pair, i) => i % 2 === 0),
);

/** A text without characters that steer a terminal or hide from a reader. */
export function visible(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, "\n").replace(UNSEEN, "$<kept>");
}

/** How a text is neutralised: one that is stored, and so again wherever it is given, keeps placeholders readable. */
interface NeutraliseOptions {
  readonly isStored?: boolean;
}

/** A text of many lines that can stand inside the block. Applying it twice changes nothing more. */
export function neutralise(text: string, { isStored = false }: NeutraliseOptions = {}): string {
  const lines = visible(text)
    .replace(TEMPLATE_TAG, (_bracket, square?: string) => square ? "&#91;" : "&lt;")
    .replace(SPEAKER, (_empty, name: string) => SPEAKERS.includes(folded(name)) ? "> " : "")
    .replace(HOOK_LINE, "> ");
  const code = [...lines.matchAll(CODE)].map(({ 0: { length }, index }) => [index, index + length]);
  let next = 0;
  return lines.replace(TAG, (whole, bracket: string, name: string, at: number) => {
    while (next < code.length && code[next]![1]! <= at) next++;
    const isCode = next < code.length && code[next]![0]! <= at;
    const isTag = RESERVED.test(folded(name)) || (STRAIGHT.includes(bracket) && (
      /\P{ASCII}/u.test(folded(name)) || (!isCode && !isStored && isTagAt(lines, at, name))
    ));
    return isTag ? `&lt;${name}` : whole;
  });
}

/** Brackets that no language quotes with. */
const STRAIGHT = "<\uff1c\ufe64";
/** What people write without marking it as code: HTML's elements, components and type parameters. */
const MARKUP =
  /^\s*\/?\s*(?:[A-Z](?:[A-Za-z\d]*[a-z][A-Za-z\d]*)?|a|abbr|article|aside|b|blockquote|body|br|button|canvas|code|details|div|dl|dd|dt|em|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|kbd|label|li|link|main|meta|nav|ol|option|p|picture|pre|s|script|section|select|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|th|thead|title|tr|u|ul|video)$/;

/** Whether what looks like the beginning of a tag is one, and no markup or type argument such as in `Array<string>`. */
function isTagAt(text: string, at: number, name: string): boolean {
  const [rest] = REST.exec(text.slice(at + 1 + name.length, at + 600)) ?? [];
  if (rest === undefined || MARKUP.test(name)) return false;
  const isArgument = /[\p{L}\p{N}_]/u.test(text[at - 1] ?? "") && /^[\p{L}\p{N}_]/u.test(name);
  return !isArgument || rest.includes("=");
}

/** The same for a text of one line: a name, a path, a type. */
export function neutraliseLine(text: string, use?: NeutraliseOptions): string {
  return neutralise(visible(text).replace(/\s+/g, " ").trim(), use);
}

/** A word as a reader sees it: in lower case, without compatibility forms, accents and letters that only look so. */
function folded(word: string): string {
  return word.normalize("NFKD").toLowerCase().replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\s/\u2044\u2215\p{M}]/gu, "")
    .replace(/\P{ASCII}/gu, (char) => LOOK_ALIKES.get(char) ?? char);
}

/** A text on one line, without control characters: a name or a type steers no terminal that it is printed on. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
