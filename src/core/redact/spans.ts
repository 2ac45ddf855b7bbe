/** A part of a text to redact. */
export interface SecretSpan {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Sorts spans, joins overlapping ones and drops empty ones. */
export function merge(spans: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = [];
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
export function besideMarks(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  const marks = spansOf(MARK, "mark", text);
  if (marks.length === 0) return [...spans];
  return spans.flatMap((span) => {
    const pieces: SecretSpan[] = [];
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
export function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
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
export function spansOf(pattern: RegExp, kind: string, text: string): SecretSpan[] {
  return [...text.matchAll(pattern)].map((match) => {
    const secret = match.groups?.["secret"] ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    return { kind, start, end: start + secret.length };
  });
}

/** Finds many strings in a text in one pass: searching for each takes a second on a few megabytes. */
export class MultiSearch<T> {
  /** By the first two code units, which nearly always decide. */
  readonly #byStart = new Map<number, { readonly needle: string; readonly value: T }[]>();
  readonly #first = new Set<number>();

  /** Every needle has at least two code units; among those with the same beginning the longest matches first. */
  constructor(entries: Iterable<readonly [needle: string, value: T]>) {
    for (const [needle, value] of [...entries].toSorted(([a], [b]) => b.length - a.length)) {
      const start = pair(needle, 0), others = this.#byStart.get(start);
      this.#first.add(needle.charCodeAt(0));
      if (others === undefined) this.#byStart.set(start, [{ needle, value }]);
      else others.push({ needle, value });
    }
  }

  /** Every occurrence of every needle, in text order. */
  *in(
    text: string,
  ): Generator<{ readonly at: number; readonly needle: string; readonly value: T }> {
    for (let at = 0; at + 1 < text.length; at++) {
      if (!this.#first.has(text.charCodeAt(at))) continue;
      for (const { needle, value } of this.#byStart.get(pair(text, at)) ?? []) {
        if (text.startsWith(needle, at)) yield { at, needle, value };
      }
    }
  }
}

function pair(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

/** Lower case, with every character in its original position. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/./gsu, (char) => {
    const small = char.toLowerCase();
    return small.length === char.length ? small : char;
  });
}

/** The rows of a table with tabs between its columns. */
export function rowsOf(table: string): string[][] {
  return table.trimEnd().split("\n").map((line) => line.split("\t"));
}
