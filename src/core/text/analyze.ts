// Text → index terms, the same for memories and prompts. FTS5's own `unicode61` sees no words in Chinese
// or Japanese and none inside `getUserById`, so memo cuts terms itself and hands FTS5 a text made of them.
// `src/core/index/database.ts` names the way of cutting them, so that every index follows a change.

/** Scripts written without spaces between words, or glued to their particles: cut into pairs of characters. */
const PAIRED =
  /(?=[\p{L}ー])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
/** A letter, digit or mark of any other script. */
const LETTER = `(?:(?!${PAIRED.source})[\\p{L}\\p{N}\\p{M}])`;
/** One piece of text that may hold a term: a run of a paired script, or letters and digits with inner joints. */
const PIECE = new RegExp(`(?:${PAIRED.source})+|${LETTER}+(?:[_.-]${LETTER}+)*`, "gu");
/** The same for a text without paired scripts, at a fraction of the cost. */
const PLAIN_PIECE = /[\p{L}\p{N}\p{M}]+(?:[_.-][\p{L}\p{N}\p{M}]+)*/gu;
/** The same for a text of nothing but ASCII and blanks: an engine reads the classes of Unicode for long, once. */
const ASCII_PIECE = /[A-Za-z0-9]+(?:[_.-][A-Za-z0-9]+)*/g;
const ASCII_TEXT = /^[\s!-~]*$/;
const JOINT = /[_.-]/;
const LETTERS = /[\p{L}\p{N}\p{M}]+/gu;
/** Where `getUserById` and `HTTPServer` come apart. */
const HUMPS = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const ASCII_HUMPS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
/** Maximum length of a term; a longer one is a hash or a blob. */
const MAX_TERM = 40;

/**
 * The terms of a text in order, with repeats: lower case, diacritics folded, endings off (`stem`), compounds both
 * whole and in their parts (`node.js` → `nodejs`, `node`, `js`), CJK as overlapping pairs of characters.
 */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  for (const { piece, isPaired } of piecesOf(text)) {
    if (isPaired) addPairs(piece, terms);
    else addWords(piece, terms);
  }
  return terms;
}

/** The distinct terms of a prompt, in order of first appearance. */
export function queryTerms(text: string): string[] {
  return [...new Set(analyze(text))];
}

/** Two words in a row. */
const PAIR =
  /(?<![\p{L}\p{N}_.-])(?<first>[a-z]{2,})\s+(?=(?<second>[a-z]{2,})(?![\p{L}\p{N}_]|[.-]\p{L}))/giu;

/** Any two words in a row as one term with the terms of both: `MIME type` may stand as `mimetype` in a memory. */
export function joinedWords(text: string): Map<string, readonly string[]> {
  const joined = new Map<string, readonly string[]>();
  for (const { groups } of text.matchAll(PAIR)) {
    const both = [groups!["first"]!, groups!["second"]!].map(fold);
    const term = stem(both.join(""));
    if (term.length <= MAX_TERM) joined.set(term, both.map(stem));
  }
  return joined;
}

/** The ways to cut the words with a term into two: `mimetype` may stand as `MIME type` in a memory. */
export function cutsOf(term: string, text: string): (readonly [string, string])[] {
  const words = new Set(text.match(PLAIN_WORD)?.map(fold));
  const found = [...words].filter((word) => stem(word) === term);
  return found.flatMap((word) =>
    Array.from(
      { length: Math.max(0, word.length - 2 * MIN_PART + 1) },
      (_, i) => [stem(word.slice(0, i + MIN_PART)), stem(word.slice(i + MIN_PART))] as const,
    )
  );
}

const PLAIN_WORD = /[a-z]+/gi;
const MIN_PART = 3;

/**
 * The terms of a text's identifiers, whole: words with an inner joint, hump or digit (`PGBOUNCER_URL`,
 * `getUserById`, `E1042`), of at least four characters.
 */
export function identifiersIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { piece, isPaired } of piecesOf(text)) {
    const isParticular = /[_.]/.test(piece) || HUMPS.test(piece.slice(1)) ||
      (/\p{L}/u.test(piece) && /\p{N}/u.test(piece));
    if (isPaired || !isParticular) continue;
    const term = stem(fold(piece.match(LETTERS)!.join("")));
    if (term.length >= MIN_IDENTIFIER && term.length <= MAX_TERM) found.add(term);
  }
  return found;
}

const MIN_IDENTIFIER = 4;

function* piecesOf(text: string): Generator<{ piece: string; isPaired: boolean }> {
  if (ASCII_TEXT.test(text)) {
    for (const [piece] of text.matchAll(ASCII_PIECE)) yield { piece, isPaired: false };
    return;
  }
  const normal = text.normalize("NFC");
  const mayBePaired = PAIRED.test(normal);
  for (const [piece] of normal.matchAll(mayBePaired ? PIECE : PLAIN_PIECE)) {
    yield { piece, isPaired: mayBePaired && PAIRED.test(piece[0]!) };
  }
}

function addPairs(run: string, terms: string[]): void {
  const characters = [...run];
  if (characters.length === 1) terms.push(characters[0]!);
  for (let i = 0; i + 1 < characters.length; i++) terms.push(characters[i]! + characters[i + 1]!);
}

function addWords(piece: string, terms: string[]): void {
  const words = piece.split(JOINT);
  if (words.length > 1) add(words.join(""), terms);
  for (const word of words) {
    add(word, terms);
    if (word === word.toLowerCase()) continue; // no humps
    const parts = word.split(ASCII_TEXT.test(word) ? ASCII_HUMPS : HUMPS);
    if (parts.length > 1) { for (const part of parts) add(part, terms); }
  }
}

function add(word: string, terms: string[]): void {
  const term = stem(fold(word));
  if (term.length > 0 && term.length <= MAX_TERM) terms.push(term);
}

/** Lower case without diacritics; scripts whose marks carry the word (Devanagari, Thai, …) keep theirs. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(lower)) return lower;
  return lower.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
}

/** Shorter words are left as they are: `bus`, `does`, `tags` but for the plural. */
const MIN_PLURAL = 4, MIN_STEM = 5, MIN_ING = 6;

/**
 * An index term without its ending, so that `migrations`, `migrating` and `migrate` are one term. Made for English
 * (the plurals of Spanish, French and Portuguese come out right as well) and cautious: a fuller stemmer
 * (Porter's) measured no better, and joined words that have nothing to do with each other.
 */
export function stem(term: string): string {
  if (!/^[a-z]+$/.test(term)) return term;
  const single = singular(term);
  if (single.length < MIN_STEM) return single;
  const bare = withoutVerbEnding(single);
  if (bare.length < MIN_PLURAL) return bare;
  if (bare.endsWith("e")) return bare.slice(0, -1);
  return bare.endsWith("y") ? bare.slice(0, -1) + "i" : bare;
}

function singular(word: string): string {
  if (word.length < MIN_PLURAL) return word;
  if (word.endsWith("ies") && word.length > MIN_PLURAL) return word.slice(0, -3) + "y";
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string): string {
  const ending = /(ing|ed)$/.exec(word)?.[0];
  if (ending === undefined || (ending === "ing" && word.length < MIN_ING)) return word;
  const bare = word.slice(0, -ending.length);
  if (!/[aeiouy]/.test(bare)) return word; // `string`, `shred`
  return /([bdfgkmnprtv])\1$/.test(bare) ? bare.slice(0, -1) : bare; // `stopped`, `running`
}
