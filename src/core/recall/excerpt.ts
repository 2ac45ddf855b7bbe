import { analyze } from "../text/analyze.ts";
import type { PassageHit } from "../index/corpus.ts";

type PassageSpan = Pick<PassageHit, "start" | "end">;

const MAX_LINES = 200;
const MAX_BYTES = 4096;

/** A text's first 200 lines and 4,096 bytes, cut after a whole line, or in a very long line after a whole character. */
export function clip(text: string): { text: string; cut: boolean } {
  const lines = text.split("\n");
  let kept = lines.slice(0, MAX_LINES).join("\n");
  if (Buffer.byteLength(kept) > MAX_BYTES) kept = clipBytes(kept);
  return { text: kept.trimEnd(), cut: kept.length < text.length };
}

function clipBytes(text: string): string {
  // A split character decodes to a replacement character at the end, which is dropped.
  const head = new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_BYTES)).replace(
    /\ufffd$/,
    "",
  );
  const lineEnd = head.lastIndexOf("\n");
  return lineEnd > 0 ? head.slice(0, lineEnd) : head;
}

/**
 * The part of a text around `span` that fits into `room` UTF-16 units: whole lines, added below and above in turn,
 * with gaps marked. Empty if not even the first line fits.
 */
export function excerpt(
  text: string,
  span: PassageSpan,
  room: number,
): string {
  const lines = text.split("\n");
  let first = lineAt(lines, span.start);
  let last = first;
  const marks = 2 * (GAP.length + 1);
  let size = lines[first]!.length + marks;
  if (size > room) {
    const cut = lines[first]!.slice(0, Math.max(0, room - marks)).toWellFormed();
    return cut.length < MIN_LINE ? "" : cut + GAP;
  }
  for (let grew = true; grew;) {
    grew = false;
    if (last + 1 < lines.length && size + lines[last + 1]!.length + 1 <= room) {
      size += lines[++last]!.length + 1;
      grew = true;
    }
    const below = text.length > 0 &&
      lines.slice(first, last + 1).join("\n").length >= span.end - span.start;
    if (below && first > 0 && size + lines[first - 1]!.length + 1 <= room) {
      size += lines[--first]!.length + 1;
      grew = true;
    }
  }
  const middle = lines.slice(first, last + 1).join("\n").trim();
  return [first > 0 ? GAP : "", middle, last + 1 < lines.length ? GAP : ""].filter(Boolean).join(
    "\n",
  );
}

const GAP = "[…]";
const MIN_LINE = 40;

/** The part of a text where the query's words are densest: for a hit that no single passage produced. */
export function densest(text: string, terms: readonly string[]): PassageSpan {
  const wanted = new Set(terms);
  let best = { start: 0, end: 0, hits: -1 };
  let start = 0;
  for (const line of text.split("\n")) {
    const hits = new Set(analyze(line).filter((term) => wanted.has(term))).size;
    if (hits > best.hits) best = { start, end: start + line.length, hits };
    start += line.length + 1;
  }
  return { start: best.start, end: best.end };
}

function lineAt(lines: readonly string[], offset: number): number {
  let start = 0;
  for (let i = 0; i < lines.length; i++) {
    start += lines[i]!.length + 1;
    if (offset < start) return i;
  }
  return lines.length - 1;
}
