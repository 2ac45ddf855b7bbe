/** What a block of code begins and ends with. */
const FENCE = /^[ \t]{0,3}(`{3,}|~{3,})/;

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
