import { redactBeforeCut } from "../redact/redact.ts";
import { CLOSE, OPEN } from "../text/block.ts";
import { wholeWords, wholeWordsAtEnd } from "../text/whole_words.ts";

/** What is put into messages and is neither the user's nor the model's own: reminders, the editor's, and memo's. */
const ENCLOSED: readonly (readonly [open: string, close: string])[] = [
  [OPEN, CLOSE],
  ["<system-reminder>", "</system-reminder>"],
  ["<ide_opened_file>", "</ide_opened_file>"],
  ["<ide_selection>", "</ide_selection>"],
  ["<ide_diagnostics>", "</ide_diagnostics>"],
];
/** A longer text is a paste or a dump; its head and its tail say what it is. */
const MAX_CHARS = 50_000;

/** A text as it was said: without what was put into it, and of a very long one the head and the tail. */
export function spoken(text: string): string {
  let own = text;
  for (const [open, close] of ENCLOSED) own = without(own, open, close);
  own = own.trim().toWellFormed();
  if (own.length > MAX_CHARS) own = redactBeforeCut(own);
  if (own.length <= MAX_CHARS) return own;
  const half = MAX_CHARS / 2;
  return `${wholeWords(own, half)}\n[…]\n${wholeWordsAtEnd(own, half)}`;
}

/** A text without what stands between two tags, and the tags. Each character is looked at twice at most. */
function without(text: string, open: string, close: string): string {
  let kept = "", from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const stop = start < 0 ? -1 : text.indexOf(close, start);
    if (stop < 0) return kept + text.slice(from);
    kept += text.slice(from, start);
    from = stop + close.length;
  }
}
