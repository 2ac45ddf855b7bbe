/** Maximum characters of a name and a description made from a text. */
const MAX_NAME = 80;
const MAX_SENTENCE = 200;
const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });
/** A short word or number before a period that may end no sentence, as in "Dr. Li", "z. B.", "bzw. Tags" and "24. Mai". */
const ABBREVIATED =
  /(?:(?<=^|[\s(])\p{N}{1,2}|(?<![\p{L}\p{N}])(?:\p{L}|\p{Lu}\p{Ll}{1,3}|[b-df-hj-np-tv-xzß]{2,3}))\.\s+$/u;
/** Markdown's marks before a heading, an item or a quotation. */
const LEAD = /^\s*(?:#{1,6}\s+|[-*+>]\s+|\d+[.)]\s+)*/;

/** A text's first sentence: whole up to the maximum length, and as a short name without the final period. */
export function titleOf(text: string): { readonly name: string; readonly sentence: string } {
  const [first = "", ...others] = text.trimStart().split("\n");
  const paragraph = [first.replace(LEAD, "")];
  if (!/^\s*#/.test(first)) {
    const end = others.findIndex((line) => line.trim() === "" || LEAD.exec(line)![0].trim() !== "");
    paragraph.push(...others.slice(0, end < 0 ? others.length : end));
  }
  const start = paragraph.join(" ").replace(/\s+/g, " ").trim().slice(0, 2000).toWellFormed();
  const sentence = sentencesOf(start)[0]?.trim() ?? "";
  const name = sentence.replace(/(?<![.。])[.。]$/, "");
  return { name: shorten(name, MAX_NAME), sentence: shorten(sentence, MAX_SENTENCE) };
}

/** What a new text changes in a memory's name and description: those made from the old text would say what is no longer so. */
export function retitled(
  { name, description, body }: { name: string; description: string; body: string },
  text: string,
): { readonly name?: string; readonly description?: string } {
  const old = titleOf(body), title = titleOf(text).name;
  const isSaid = title === "" || title.startsWith(name); // more was written behind it
  if (name !== old.name || isSaid) return {};
  return { name: title, ...description === old.sentence && { description: "" } };
}

/** The sentences of a paragraph; none ends inside a span of code, and hardly one begins with a figure ("approx. 5 GB"). */
export function sentencesOf(paragraph: string): string[] {
  const masked = paragraph.replace(/`[^`]*`/g, (code) => "x".repeat(code.length));
  const sentences: { from: number; text: string }[] = [];
  for (const { index, segment } of SENTENCES.segment(masked)) {
    const last = sentences.at(-1);
    const isSame = last !== undefined && (ABBREVIATED.test(last.text) || /^\p{N}/u.test(segment));
    if (isSame) last.text += segment;
    else sentences.push({ from: index, text: segment });
  }
  return sentences.map(({ from, text }) => paragraph.slice(from, from + text.length));
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The name of a text without one, from its first sentence; a daily note keeps its day, any other not its file's name. */
export function nameOfFile(file: string, text: string): string {
  const { name } = titleOf(text);
  if (name === "") return file;
  return DAY.test(file) ? `${file}: ${name}` : name;
}

/** What stands at the end of a text that was cut. */
export const CUT = "…";

/** A text of so many characters at most: cuts at the end of a word if there is one in the last third. */
export function shorten(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  const space = characters.lastIndexOf(" ", longest - 1);
  const end = space > longest * 2 / 3 ? space : longest - 1;
  const cut = characters.slice(0, end).join("").trimEnd();
  // Half a span of code is no code: one that begins in the last half is left out, and any other ends where the text does.
  const isInCode = cut.split("`").length % 2 === 0 && text.slice(cut.length).includes("`");
  if (!isInCode) return cut + CUT;
  const start = cut.lastIndexOf("`");
  const closed = () => [...cut].slice(0, longest - 2).join("").trimEnd() + "`";
  return (start > cut.length / 2 ? cut.slice(0, start).trimEnd() : closed()) + CUT;
}

interface Limit {
  readonly characters: number;
  readonly bytes: number;
}

/** Together with the archive's stamp they stay under the 255 bytes that file systems allow. */
const LONGEST: Limit = { characters: 60, bytes: 150 };
const LONGEST_TYPE: Limit = { characters: 30, bytes: 60 };
/** Device names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * A text as one safe part of a file name: lower-case letters and digits of any script, joined by hyphens.
 * A text without any letters, such as an emoji, becomes `memory`.
 */
export function slug(text: string, longest: Limit = LONGEST): string {
  const words = text
    .normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const short = cut(words.join("-"), longest);
  if (short === "") return "memory";
  return RESERVED.test(short) ? `${short}-memory` : short;
}

/** The file name of a memory: `{type}_{slug}.md`. */
export function fileName(type: string, name: string): string {
  return `${slug(type, LONGEST_TYPE)}_${slug(name)}.md`;
}

function cut(text: string, { characters, bytes }: Limit): string {
  let kept = "";
  for (const character of text) {
    const next = kept + character;
    if ([...next].length > characters || Buffer.byteLength(next) > bytes) break;
    kept = next;
  }
  return kept.replace(/-+$/, "");
}

/** A file name with a number: `a.md` → `a-2.md`. */
export function numbered(name: string, n: number): string {
  return `${name.replace(/\.md$/, "")}-${n}.md`;
}

/** A file name, or path, that is not taken: the wanted one, or the same with a number. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  const nameOf = (n: number) => n === 1 ? wanted : numbered(wanted, n);
  return nameOf(freeNumber((n) => isTaken(nameOf(n))));
}

/** A free number whose predecessor is taken: the first one from 1, unless there are gaps. It asks for few of them. */
export function freeNumber(isTaken: (n: number) => boolean): number {
  let taken = 0;
  let free = 1;
  while (isTaken(free)) [taken, free] = [free, 2 * free];
  while (free - taken > 1) {
    const middle = (taken + free) >> 1;
    if (isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}
