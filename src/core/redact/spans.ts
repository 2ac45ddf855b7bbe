/** A part of a text to redact. */
export interface Span {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Sorts spans, joins overlapping ones and drops empty ones. */
export function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  const sorted = spans.filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end) {
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    } else merged.push(span);
  }
  return merged;
}

/** What stands where a secret was. */
export const MARK = /\[redacted:[\w-]+\]/g;

/** Removes already redacted parts from spans, which splits them. */
export function besideMarks(text: string, spans: readonly Span[]): Span[] {
  const marks = spansOf(MARK, "mark", text);
  if (marks.length === 0) return [...spans];
  return spans.flatMap((span) => {
    const pieces: Span[] = [];
    let { start } = span;
    for (const mark of marks) {
      if (mark.end <= start) continue;
      if (mark.start >= span.end) break;
      pieces.push({ ...span, start, end: mark.start });
      start = mark.end;
    }
    return [...pieces, { ...span, start }].filter(({ start, end }) => start < end);
  });
}

/** Replaces each span of a text with `[redacted:kind]`; the spans are sorted and do not overlap. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let result = "";
  let at = 0;
  for (const { kind, start, end } of spans) {
    result += `${text.slice(at, start)}[redacted:${kind}]`;
    at = end;
  }
  return result + text.slice(at);
}

/** A sticky pattern's match at a position. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** The spans of a pattern's matches: the group `secret`, else the whole match. */
export function spansOf(pattern: RegExp, kind: string, text: string): Span[] {
  return [...text.matchAll(pattern)].map((match) => {
    const secret = match.groups?.["secret"] ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    return { kind, start, end: start + secret.length };
  });
}
