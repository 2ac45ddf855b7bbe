// A prompt may hold a pasted file of many megabytes, of which 4,000 characters are searched for. It is cut before
// anything looks at it, in the hook itself: its head and tail are where a person writes what to do with the paste.

import { MAX_PROMPT } from "../link/protocol.ts";
import { withoutPrivate } from "./private.ts";

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
