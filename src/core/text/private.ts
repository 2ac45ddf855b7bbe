/** A stretch of a text, in characters. */
export interface PrivateSpan {
  readonly start: number;
  readonly end: number;
}

/** The tags, as people type them: with blanks, in the full-width form of an input method, or escaped by a program. */
const TAG =
  /(?:[<\uff1c]|&lt;)\s{0,3}(?<end>[/\uff0f]?)\s{0,3}private\b(?:(?!&gt;)[^<>\uff1c\uff1e]){0,100}(?:[>\uff1e]|&gt;)/gi;

/** Text between `<private>` and its end tag, or to the end of the text if the tag is missing. */
export function privateSpans(text: string): PrivateSpan[] {
  const spans: PrivateSpan[] = [];
  let depth = 0;
  let start = 0;
  for (const tag of text.matchAll(TAG)) {
    if (tag.groups!["end"] === "") {
      if (depth++ === 0) start = tag.index;
    } else if (depth > 0 && --depth === 0) {
      spans.push({ start, end: tag.index + tag[0].length });
    }
  }
  if (depth > 0) spans.push({ start, end: text.length });
  return spans;
}

/**
 * A text without what is private in it. For one of the texts that a question is put together from: a tag without an end
 * would take the others along.
 */
export function withoutPrivate(text: string): string {
  return privateSpans(text).reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}[redacted:private]${rest.slice(end)}`,
    text,
  );
}
