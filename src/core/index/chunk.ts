export interface ChunkOptions {
  /** Maximum tokens per passage. */
  readonly tokens: number;
  /** Tokens that a passage repeats from the end of the one before. */
  readonly overlap: number;
  /** How many tokens each stretch of the text has (`measure`). */
  readonly sizes: TokenSizes;
}

interface Unit extends Span {
  readonly tokens: number;
  /** A heading opens it: a passage ends before. */
  readonly heading: boolean;
  /** It is the first of its paragraph. */
  readonly paragraph: boolean;
}

/**
 * Splits a Markdown text into passages of at most `tokens`, cut before headings and between paragraphs where
 * that leaves a passage of a fair size, else between lines, sentences and words. Blank texts have none.
 */
export function chunk(text: string, options: ChunkOptions): Span[] {
  const units = split(text, { start: 0, end: text.length }, 0, options);
  const spans: Span[] = [];
  for (let first = 0; first < units.length;) {
    const next = endOfPassage(units, first, options);
    spans.push(trim(text, { start: units[first]!.start, end: units[next - 1]!.end }));
    if (next >= units.length) break;
    first = units[next]!.heading || units[next]!.paragraph
      ? next
      : stepBack(units, first, next, options.overlap);
  }
  return spans.filter((span) => span.end > span.start);
}

/**
 * The unit after the passage that begins at `first`: as many as fit, up to a heading; where the next one would
 * be in the middle of a paragraph, back to where that began if half a passage is left.
 */
function endOfPassage(
  units: readonly Unit[],
  first: number,
  { tokens: limit, overlap }: ChunkOptions,
): number {
  let tokens = units[first]!.tokens;
  let next = first + 1, between = next;
  for (; next < units.length && tokens + units[next]!.tokens <= limit; next++) {
    if (units[next]!.heading && tokens >= overlap) return next;
    if (units[next]!.paragraph && tokens >= limit / 2) between = next;
    tokens += units[next]!.tokens;
  }
  const inside = next < units.length && !units[next]!.paragraph;
  return inside && between > first + 1 ? between : next;
}

/** The first unit of the next passage: back over whole units as long as they fit into the overlap. */
function stepBack(units: readonly Unit[], first: number, next: number, overlap: number): number {
  let start = next, tokens = 0;
  while (start - 1 > first && tokens + units[start - 1]!.tokens <= overlap) {
    tokens += units[--start]!.tokens;
  }
  return start;
}

/** Where a text may be cut, from the best place to the worst; each cut falls after the match. */
const CUTS = [/\n\s*\n|\n(?=#{1,6} )/g, /\n/g, /[.!?;](?=\s)|[。！？；]/g, /\s/g];

/** Splits a span at the coarsest cuts that make its parts short enough to be put together again. */
function split(text: string, span: Span, level: number, options: ChunkOptions): Unit[] {
  const piece = text.slice(span.start, span.end);
  if (piece.trim() === "") return [];
  const tokens = options.sizes.between(span);
  // Paragraphs are always told apart, so that a heading is seen; finer cuts only where they are needed.
  if (level > 0 && tokens <= options.overlap) return [unit(piece, span, tokens)];
  const cut = CUTS[level];
  if (cut === undefined) return hardCut(text, span, tokens, options);
  const parts: Unit[] = [];
  const add = (start: number, end: number) => {
    const inner = split(text, { start, end }, level + 1, options);
    if (level === 0 && inner[0] !== undefined) inner[0] = { ...inner[0], paragraph: true };
    parts.push(...inner);
  };
  let start = span.start;
  for (const match of piece.matchAll(cut)) {
    const end = span.start + match.index + match[0].length;
    add(start, end);
    start = end;
  }
  add(start, span.end);
  return parts;
}

function unit(piece: string, span: Span, tokens: number): Unit {
  return { ...span, tokens, heading: /^\s*#{1,6} /.test(piece), paragraph: false };
}

/** A word longer than a passage (a key, a data URL, text without spaces): cut into parts that fit. */
function hardCut(text: string, span: Span, tokens: number, options: ChunkOptions): Unit[] {
  if (tokens <= options.overlap) return [unit(text.slice(span.start, span.end), span, tokens)];
  const parts: Unit[] = [];
  for (let { start } = span; start < span.end;) {
    let end = Math.min(span.end, options.sizes.endWithin(start, options.overlap));
    if (end < span.end && /[\udc00-\udfff]/.test(text[end]!)) end++; // not between the halves of a character
    const part = { start, end };
    parts.push(unit(text.slice(start, end), part, options.sizes.between(part)));
    start = end;
  }
  return parts;
}

function trim(text: string, { start, end }: Span): Span {
  while (start < end && /\s/.test(text[start]!)) start++;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  return { start, end };
}

/** A stretch of text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
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
  { count, pause }: {
    /** Counts the tokens of a text, by the model's own tokenizer. */
    readonly count: (text: string) => number;
    /** Awaited every few milliseconds, so that a large text does not hold up anything else. */
    readonly pause?: (() => Promise<void>) | undefined;
  },
): Promise<TokenSizes> {
  const known = new Map<string, number>();
  const words: ChunkWord[] = [];
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

interface ChunkWord extends Span {
  readonly tokens: number;
  /** Tokens of all words before it. */
  readonly before: number;
}

/** How many tokens each stretch of a text has. */
export class TokenSizes {
  readonly #words: readonly ChunkWord[];

  constructor(words: readonly ChunkWord[]) {
    this.#words = words;
  }

  /** The tokens of a stretch; a word that it cuts counts in part. */
  between({ start, end }: Span): number {
    return Math.ceil(this.#before(end) - this.#before(start) - ROUNDING);
  }

  /** The end of a stretch from `start` with at most this many tokens and at least one character. */
  endWithin(start: number, tokens: number): number {
    const limit = this.#before(start) + tokens;
    const { start: from, end, before, tokens: size } = this
      .#words[this.#lastWhere((word) => word.before < limit)]!;
    const share = size === 0 ? 1 : Math.min(1, (limit - before) / size);
    return Math.max(start + 1, from + Math.floor((end - from) * share));
  }

  #before(place: number): number {
    const word = this.#words[this.#lastWhere((word) => word.start <= place)];
    if (word === undefined) return 0;
    const { start, end, before, tokens } = word;
    return before + (end === start ? 0 : tokens * Math.min(1, (place - start) / (end - start)));
  }

  /** The last word for which something holds that holds for all before it; -1: for none. */
  #lastWhere(holds: (word: ChunkWord) => boolean): number {
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
