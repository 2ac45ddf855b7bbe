import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { orNothing, statsOf, whileUnchanged } from "../files/there.ts";
import { commonTo, CUTOFFS, jaccard } from "../relation/relate.ts";
import { analyze } from "../text/analyze.ts";
import { remembering } from "../text/remembered.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { INDEX_FILE } from "../memory/folder.ts";

const {
  same: SAME,
  near,
  contained: CONTAINED,
  containedPairs: CONTAINED_PAIRS,
  fewest: FEW_WORDS,
} = CUTOFFS.repeats;
/** Two titles that share this much of their words are nearly the same. */
export const NEAR = near;
/** Only the beginning of a long memory is compared. */
const COMPARED_CHARS = 8192;
/** The part of its own MEMORY.md that Claude Code loads into context. */
const NATIVE = { lines: 200, bytes: 25_000 };

/** The content of a text, as far as its words show it; most texts differ by their terms, and are asked for no more. */
export class TextWords {
  readonly #text: string;
  #inOrder: readonly string[] | undefined;
  #terms: ReadonlySet<string> | undefined;
  #pairs: ReadonlySet<string> | undefined;
  #marks: ReadonlyMap<string, number> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get terms(): ReadonlySet<string> {
    return this.#terms ??= new Set(this.#ordered);
  }

  /** Adjacent terms: the same words in another order have another meaning. */
  get pairs(): ReadonlySet<string> {
    const terms = this.#ordered;
    return this.#pairs ??= new Set(terms.slice(1).map((term, i) => `${terms[i]} ${term}`));
  }

  /** Negations and figures, with their counts: one more or less makes another statement. */
  get marks(): ReadonlyMap<string, number> {
    return this.#marks ??= marksIn(this.#text);
  }

  /** Most prompts give one memory, which is compared with none. */
  get #ordered(): readonly string[] {
    return this.#inOrder ??= analyze(this.#text);
  }
}

/** The words that make up a memory's content, some 8 KB. */
export const wordsOf = remembering(({ name, body }: Pick<IndexedMemory, "name" | "body">) =>
  new TextWords(body === "" ? name : body.slice(0, COMPARED_CHARS))
);

/** Whether two memories have the same content: the same words in the same order, and the same negations and figures. */
export function hasSameWords(a: TextWords, b: TextWords): boolean {
  if (Math.min(a.terms.size, b.terms.size) < FEW_WORDS) return false;
  return jaccard(a.terms, b.terms) >= SAME && jaccard(a.pairs, b.pairs) >= SAME &&
    haveSameMarks(a.marks, b.marks);
}

/** Whether two titles share most of their words, and have the same negations and figures. */
export function areNear(a: TextWords, b: TextWords): boolean {
  return jaccard(a.terms, b.terms) >= NEAR && haveSameMarks(a.marks, b.marks);
}

/** Whether one of the lines contains a memory's whole content. */
export function isSaidIn(lines: readonly TextWords[], said: TextWords): boolean {
  return lines.length > 0 && said.terms.size >= FEW_WORDS &&
    lines.some((line) =>
      shareOf(said.terms, line.terms) >= CONTAINED &&
      shareOf(said.pairs, line.pairs) >= CONTAINED_PAIRS && haveSameMarks(said.marks, line.marks)
    );
}

/** Whether a long text contains a memory's whole content, as it was imported from there: its heading may stand elsewhere. */
export function isWithinText(text: TextWords, said: TextWords): boolean {
  return shareOf(said.terms, text.terms) >= CONTAINED &&
    shareOf(said.pairs, text.pairs) >= CONTAINED_PAIRS &&
    said.marks.keys().every((mark) => text.marks.has(mark));
}

/** Words that negate a statement, in the languages that memo knows. */
const NEGATIONS =
  /(?<![\p{L}\p{N}])(?:not?|never|neither|nor|none|without|cannot|avoid|\p{L}+n['’]t|nunca|jam[aá]s|sin|ning[uú]n|ni|ne|pas|jamais|sans|aucun|nicht|kein\p{L}*|nie|niemals|ohne|n[aã]o|sem|non|mai|senza)(?![\p{L}\p{N}])|[不没沒別别無无勿非未]|ない|ません|않|없|못/giu;
const FIGURES = /[\p{L}_.:/-]*\p{N}[\p{L}\p{N}_.:/-]*/gu;

function marksIn(text: string): Map<string, number> {
  const marks = new Map<string, number>();
  const found = [...text.matchAll(NEGATIONS), ...text.matchAll(FIGURES)];
  for (const [mark] of found) {
    marks.set(mark.toLowerCase(), (marks.get(mark.toLowerCase()) ?? 0) + 1);
  }
  return marks;
}

function haveSameMarks(a: TextWords["marks"], b: TextWords["marks"]): boolean {
  return a.size === b.size && a.entries().every(([mark, count]) => b.get(mark) === count);
}

function shareOf(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  return part.size === 0 ? 1 : commonTo(part, whole) / part.size;
}

/** The lines of Claude Code's own MEMORY.md for the project, which the model has read already. */
export function nativeLines(folders: readonly MemoryFolder[]): readonly TextWords[] {
  return nativeIndex(folders)?.words ?? [];
}

/** The auto memories that those lines link to: their titles have been read too. */
export function linkedIn(folders: readonly MemoryFolder[]): ReadonlySet<string> {
  const { folder = "", lines = [] } = nativeIndex(folders) ?? {};
  const names = lines.flatMap((line) => [...line.matchAll(/\]\(([^()\s]+\.md)\)/g)]);
  return new Set(names.map(([, name]) => resolve(folder, name!)));
}

/** Claude Code's own MEMORY.md of a project; prompt after prompt of a session asks for the same. */
function nativeIndex(folders: readonly MemoryFolder[]) {
  const folder = folders.find(({ scope }) => scope === "auto")?.path;
  return folder === undefined ? undefined : readNative(join(folder, INDEX_FILE));
}

const readNative = whileUnchanged((path) => {
  if (!statsOf(path)?.isFile()) return undefined;
  const text = orNothing(() => readFileSync(path).subarray(0, NATIVE.bytes).toString("utf8"));
  const lines = text?.split("\n").slice(0, NATIVE.lines);
  return lines && { folder: dirname(path), lines, words: lines.map((line) => new TextWords(line)) };
});
