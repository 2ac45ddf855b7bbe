import { redactBeforeCut } from "../redact/redact.ts";
import { CLOSE, OPEN } from "../text/block.ts";
import { wholeWords, wholeWordsAtEnd } from "../text/whole_words.ts";

/** Parts of messages written neither by the user nor by the model: reminders, editor context and memo's blocks. */
const ENCLOSED: readonly (readonly [open: string, close: string])[] = [
  [OPEN, CLOSE],
  [escaped(OPEN), escaped(CLOSE)],
  ["<system-reminder>", "</system-reminder>"],
  ["<ide_opened_file>", "</ide_opened_file>"],
  ["<ide_selection>", "</ide_selection>"],
  ["<ide_diagnostics>", "</ide_diagnostics>"],
];
/** A longer text is a paste or a dump, identified by its head and tail. */
const MAX_CHARS = 50_000;

/** A tag as Gemini CLI and Qwen Code keep it. */
export function escaped(tag: string): string {
  return tag.replace("<", "&lt;").replace(">", "&gt;");
}

/** A message without such parts, cut to its head and tail if very long. */
export function messageText(text: string): string {
  let own = text;
  for (const [open, close] of ENCLOSED) own = without(own, open, close);
  own = own.trim().toWellFormed();
  if (own.length > MAX_CHARS) own = redactBeforeCut(own);
  if (own.length <= MAX_CHARS) return own;
  return headAndTail(own, MAX_CHARS, "[…]");
}

/** The beginning and the end of a text without secrets, in whole words, with what stands for the rest. */
export function headAndTail(text: string, chars: number, rest: string): string {
  return `${wholeWords(text, chars / 2)}\n${rest}\n${wholeWordsAtEnd(text, chars / 2)}`;
}

/** Removes everything between two tags, and the tags; reads each character at most twice. */
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
