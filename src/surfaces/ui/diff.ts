import { diffLines } from "diff";

/** A line of a diff: in both texts, or in one of them; of what is skipped, `text` is the number of lines. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "skipped";
  readonly text: string;
}

/** Lines around a change that are shown; prompts wait for a comparison, so that it is a short one. */
const AROUND = 3, COMPARED_MS = 100, MOST_LINES = 2000;

/** The lines of two texts, with what is the same in both left out but for what surrounds a change. */
export function diffOf(before: string, after: string): DiffLine[] {
  const parts = diffLines(before, after, { timeout: COMPARED_MS });
  if (parts === undefined) { // too much has changed to be told line by line
    return [...toLines(before, "removed"), ...toLines(after, "added")].slice(0, MOST_LINES);
  }
  const lines = parts.flatMap(({ value, added, removed }, i): DiffLine[] => {
    const all = toLines(value, added ? "added" : removed ? "removed" : "same");
    if (added || removed) return all;
    const head = i === 0 ? 0 : AROUND, tail = i === parts.length - 1 ? 0 : AROUND;
    const left = all.length - head - tail;
    if (left < 2) return all;
    const skipped: DiffLine = { kind: "skipped", text: String(left) };
    return [...all.slice(0, head), skipped, ...tail === 0 ? [] : all.slice(-tail)];
  });
  return lines.slice(0, MOST_LINES);
}

/** Every line of two texts, in their order: those of both once, and where they differ those of the first one first. */
export function linesOfBoth(first: string, second: string): string {
  const parts = diffLines(`${first}\n`, `${second}\n`, { timeout: COMPARED_MS });
  return (parts?.map(({ value }) => value).join("") ?? `${first}\n${second}`).trimEnd();
}

function toLines(text: string, kind: DiffLine["kind"]): DiffLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text) => ({ kind, text }));
}
