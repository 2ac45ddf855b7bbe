// Cuts Markdown into parts of the size of a note: at headings, else between paragraphs, never inside a code block.

/** A part of a document. */
export interface Section {
  /** Its headings from the document's title down, without marks. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** A document up to this many characters is kept whole. */
export const LONGEST = 12_000;

const HEADING = /^(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const FENCE = /^[ \t]{0,3}(`{3,}|~{3,})/;

/** The sections of a document in order; those that are a heading alone have an empty text. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  const path: string[] = [];
  let lines: string[] = [];
  const close = () => {
    const body = lines.join("\n").replace(/^(?:[ \t]*\n)+/, "").trimEnd();
    const headings = path.filter((name) => name !== "");
    if (body !== "" || headings.length > 0) sections.push({ headings, text: body });
    lines = [];
  };
  for (const { line, isCode } of linesOf(text)) {
    const [, marks, title] = isCode ? [] : HEADING.exec(line) ?? [];
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
export function parts(text: string, longest = LONGEST): Section[] {
  if (text.length <= longest) return [{ headings: [], text }];
  const result: Section[] = [];
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
  return result.flatMap((each) => inPieces(each, 4 * longest));
}

/** A text without line ends is cut all the same: no memory is longer than a file that is read whole. */
function inPieces(text: string, longest: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += longest) {
    pieces.push(text.slice(at, at + longest).toWellFormed());
  }
  return pieces;
}

/** The lines of a document, and whether each is part of a block of code. */
export function* linesOf(
  text: string,
): Generator<{ readonly line: string; readonly isCode: boolean }> {
  let fence: string | undefined;
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) {
      fence = undefined;
      yield { line, isCode: true };
      continue;
    }
    yield { line, isCode: fence !== undefined };
  }
}
