/** A stretch of text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface MeasureOptions {
  /** Counts the tokens of a text, by the model's own tokenizer. */
  readonly count: (text: string) => number;
  /** Awaited every few milliseconds, so that a large text does not hold up anything else. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** A word and the blanks after it, which no tokenizer counts; of a longer word (a key, base64, Chinese) a part. */
const ATOM = /\S{1,32}\s*|^\s+/gu;
/** Maximum milliseconds of counting between two pauses. */
const SLICE_MS = 5;

/**
 * Counts the tokens of every word of a text, each distinct word once. Models split at blanks before anything else, so
 * the tokens of a stretch are the sum of its words'; inside a very long word the sum is a little too high.
 */
export async function measure(
  text: string,
  { count, pause }: MeasureOptions,
): Promise<TokenSizes> {
  const known = new Map<string, number>();
  const words: Word[] = [];
  let total = 0, since = performance.now();
  for (const { 0: atom, index: start } of text.matchAll(ATOM)) {
    const word = atom.trimEnd();
    let tokens = known.get(word);
    if (tokens === undefined) known.set(word, tokens = word === "" ? 0 : count(word));
    words.push({ start, end: start + word.length, before: total, tokens });
    total += tokens;
    if (pause !== undefined && performance.now() - since > SLICE_MS) {
      await pause();
      since = performance.now();
    }
  }
  return new TokenSizes(words);
}

interface Word extends Span {
  readonly tokens: number;
  /** Tokens of all words before it. */
  readonly before: number;
}

/** How many tokens each stretch of a text has. */
export class TokenSizes {
  readonly #words: readonly Word[];

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  /** The tokens of a stretch; a word that it cuts counts in part. */
  between({ start, end }: Span): number {
    return Math.ceil(this.#before(end) - this.#before(start) - ROUNDING);
  }

  /** The end of a stretch from `start` with at most this many tokens and at least one character. */
  reach(start: number, tokens: number): number {
    const limit = this.#before(start) + tokens;
    const { start: from, end, before, tokens: size } = this
      .#words[this.#lastWhere((word) => word.before < limit)]!;
    const share = size === 0 ? 1 : Math.min(1, (limit - before) / size);
    return Math.max(start + 1, from + Math.floor((end - from) * share));
  }

  /** The tokens before a place. */
  #before(place: number): number {
    const word = this.#words[this.#lastWhere((word) => word.start <= place)];
    if (word === undefined) return 0;
    const { start, end, before, tokens } = word;
    return before + (end === start ? 0 : tokens * Math.min(1, (place - start) / (end - start)));
  }

  /** The last word for which something holds that holds for all before it; -1: for none. */
  #lastWhere(holds: (word: Word) => boolean): number {
    let low = 0;
    let high = this.#words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.#words[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Sums of parts are not exact. */
const ROUNDING = 1e-6;
