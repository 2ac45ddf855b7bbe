// Of a prompt, what the person has written: not the blocks that they have pasted or quoted from elsewhere.

import { splitPaste } from "../text/marked_paste.ts";
import { isProse } from "../text/prose.ts";

/** From the first fence to the last, since what is pasted may have fences of its own; without an end, to the end. */
const FENCED =
  /^[ \t]*(?:`{3,}|~{3,})[^]*(?:^[ \t]*(?:`{3,}|~{3,})[^\n]*$)|^[ \t]*(?:`{3,}|~{3,})[^]*/m;
/** A line that is quoted, and a quotation of some length. */
const QUOTED = /^[ \t]*>.*$|["“«„][^"“”«»„]{80,}["”»“]/gm;
/** A longer prompt may hold a pasted log or file. */
const LONG = 2000;

/** What a person has typed in a prompt. */
export function typedIn(prompt: string): string {
  const own = splitPaste(prompt).typed.replace(FENCED, "\n").replace(QUOTED, "\n");
  if (own.length <= LONG) return own;
  return own.split("\n").filter(isProse).join("\n");
}
