// A prompt may hold a pasted file of many megabytes, of which 4,000 characters are searched for. It is cut before
// anything looks at it, in the hook itself: its head and tail are where a person writes what to do with the paste.

import { MAX_PROMPT } from "../link/protocol.ts";

/** Position of the line break between head and tail. */
const SEAM = MAX_PROMPT / 2;
/** Longer than a secret that the cut would split, in UTF-16 units. */
const MARGIN = 4096;

/** A prompt without the middle of a long one, and without what is private in that: the cut would lose the tags. */
export function cutPaste(prompt: string): string {
  if (prompt.length <= MAX_PROMPT) return prompt;
  const text = withoutPrivate(prompt);
  if (text.length <= MAX_PROMPT) return text;
  const head = text.slice(0, SEAM), tail = text.slice(SEAM + 1 - MAX_PROMPT);
  return `${head.toWellFormed()}\n${tail.toWellFormed()}`;
}

/** Whether `cutPaste` has cut a prompt; nothing else makes one of exactly this length, but for chance. */
export function isCut({ length }: string): boolean {
  return length === MAX_PROMPT;
}

/** A prompt that was cut, without what is next to the cut: half a secret is not recognized as one. */
export function awayFromCut(prompt: string): string {
  const head = prompt.slice(0, SEAM - MARGIN);
  const tail = prompt.slice(SEAM + MARGIN);
  return `${head.toWellFormed()}\n${tail.toWellFormed()}`;
}

/** The tags, as people type them: with blanks, in the full-width form of an input method, or escaped by a program. */
const TAG =
  /(?:[<\uff1c]|&lt;)\s{0,3}(?<end>[/\uff0f]?)\s{0,3}private\b(?:(?!&gt;)[^<>\uff1c\uff1e]){0,100}(?:[>\uff1e]|&gt;)/gi;

/** Text between `<private>` and its end tag, or to the end of the text if the tag is missing. */
export function privateSpans(text: string): { readonly start: number; readonly end: number }[] {
  const spans: ReturnType<typeof privateSpans> = [];
  let depth = 0, start = 0;
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

// Claude Code puts what was pasted into a prompt between tags, as `<pasted_content id="7fd4">`. The id is a session's own,
// so that no page can end its own paste.
const MARKED = /<pasted_content id="([0-9a-f]{4})">([^]*?)(?:<\/pasted_content id="\1">|$)/g;
/** The end of a paste whose beginning was cut off. */
const REST_OF_PASTE = /^([^]*)<\/pasted_content id="[0-9a-f]{4}">/;

/** A prompt without what is marked as pasted, and that; what is left of a tag that was cut off counts as pasted. */
export function splitPaste(prompt: string): { readonly typed: string; readonly pasted: string } {
  const pasted: string[] = [];
  const take = (_: string, ...groups: string[]) => (pasted.push(groups.at(-3)!.trim()), "\n");
  const typed = prompt.replace(MARKED, take).replace(REST_OF_PASTE, take);
  return { typed, pasted: pasted.join("\n") };
}

const QUOTED = /^"([\s\S]*)"\s*$/;

/** A prompt without the quotes that `opencode run` puts around it. */
export function unquoted(prompt: string): string {
  return prompt.replace(QUOTED, "$1");
}
