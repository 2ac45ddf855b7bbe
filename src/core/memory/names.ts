// What a memory is called: its short triggers and tags, and a short title, as a prompt may have them in a sentence; and
// its whole title and path, as a command may name it by some of their words.

import { relative, sep } from "node:path";
import { analyze } from "../text/analyze.ts";
import { folded } from "../text/folded.ts";
import { isStopword } from "../text/language/stopwords.ts";
import { withoutMarks } from "./basis.ts";
import type { Memory, MemoryFile, MemoryFolder } from "./memory.ts";

/** A longer trigger is an example of a prompt, and a longer title a sentence. */
const MOST_WORDS = 3;
/** In a text of more words one plain word may not be what it is about. */
const FEW_WORDS = 16;
/** A word as it is written; `node.js` is one, and neither `js` nor the `TS` of `TSLint` is. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:[_.][\p{L}\p{N}\p{M}]+)*/gu;
/** What a sentence does not have by chance: a capital that does not begin it, a figure, a joint. */
const PARTICULAR = /(?<=.)\p{Lu}|\p{N}|[_.]/u;

/** The names of a memory, each as its terms. */
export function namesOf(
  { name, triggers, tags }: Pick<Memory, "name" | "triggers" | "tags">,
): string[] {
  const all = [name, ...triggers, ...withoutMarks(tags)].map(wordsOf);
  const names = all.filter((words) => words.length <= MOST_WORDS && says(words));
  return [...new Set(names.map((words) => words.map(({ term }) => term).join(" ")))];
}

/** A name as it is compared. */
export function fold(text: string): string {
  return folded(text).replace(/\s+/g, " ").trim();
}

/** Where the words of a name are looked for. */
export function labelOf(
  { name, path }: Pick<MemoryFile, "name" | "path">,
  folder: Pick<MemoryFolder, "path">,
): string {
  return `${fold(name)}\n${fold(relative(folder.path, path).split(sep).join("/"))}`;
}

/** Every run of words in a text that may be a name, and whether it then is what was meant. */
export function runsIn(text: string): ReadonlyMap<string, boolean> {
  const words = wordsOf(text);
  const found = new Map<string, boolean>();
  for (const i of words.keys()) {
    for (let end = i + 1; end <= i + MOST_WORDS; end++) {
      const run = words.slice(i, end);
      if (!says(run)) continue;
      const name = run.map(({ term }) => term).join(" ");
      const isSure = words.length <= FEW_WORDS || run.length > 1 || run[0]!.isOwn;
      found.set(name, isSure || found.get(name) === true);
    }
  }
  return found;
}

interface Word {
  readonly term: string;
  /** Whether it is written as a name is. */
  readonly isOwn: boolean;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const isFirst = /(?:^|[.!?:]\s+|\n\s*)$/.test(text.slice(Math.max(0, index - 4), index));
    const isOwn = PARTICULAR.test(isFirst ? word : ` ${word}`);
    const terms = analyze(word);
    // The first of a compound's terms is the whole of it; a script without spaces has pairs.
    return (SPACELESS.test(word) ? terms : terms.slice(0, 1)).map((term) => ({ term, isOwn }));
  });
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whether words say more than a function word or a number does. */
function says(words: readonly Word[]): boolean {
  return words.some(({ term }) => term.length > 1 && !isStopword(term) && !/^\p{N}+$/u.test(term));
}
