import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { UNIGRAM } from "./files.ts";

/** Converts text to the token ids of one model. */
export interface Tokenizer {
  /** Includes the tokens that open and close a text. */
  encode(text: string): number[];
  /** Tokens of a text, without those that open and close it. */
  count(text: string): number;
  /** The piece that a token stands for, where the vocabulary tells: `▁` before it begins a word. */
  readonly pieceOf?: (token: number) => Piece;
}

/** A piece of a vocabulary, and how rare it is: the negative logarithm of its probability. */
export interface Piece {
  readonly text: string;
  readonly rarity: number;
}

/** The tokenizer in a model's folder: memo's own if the folder has its file, else that of transformers.js. */
export async function loadTokenizer(folder: string): Promise<Tokenizer> {
  const own = join(folder, UNIGRAM);
  if (statSync(own, { throwIfNoEntry: false })?.isFile()) return readUnigram(readFileSync(own));
  const { AutoTokenizer } = await import("@huggingface/transformers");
  const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  return {
    encode: (text) => tokenizer.encode(text),
    count: (text) => tokenizer.encode(text, { add_special_tokens: false }).length,
  };
}

/** What the file of a vocabulary begins with; `tools/model/unigram.ts` writes it. */
export const MAGIC = 0x314d474e; // "NGM1"
const HEADER_INTEGERS = 6;
/** The mark for a space: each word begins with it. */
export const WORD_START = "▁";
/** SentencePiece's penalty for an unknown character, below the score of the least likely piece. */
const UNKNOWN_PENALTY = 10;
const NOT_FOUND = -1;
const UTF8 = new TextEncoder();

/**
 * Reads a vocabulary: header, scores, the end of each piece, the pieces; a piece's position is its token id. The tokenizer of transformers.js supports this kind too, but makes an object of every letter
 * of its 250,000 pieces, which takes a second and 230 MB; this reader takes 30 ms and 9 MB.
 */
export function readUnigram(file: Uint8Array): Tokenizer {
  const own = new Uint8Array(file).buffer; // typed arrays must start at a multiple of four
  const header = new Int32Array(own, 0, Math.min(HEADER_INTEGERS, own.byteLength >> 2));
  const [magic, count = 0, opening = 0, closing = 0, unknown = 0, length = 0] = header;
  const start = HEADER_INTEGERS * 4, text = start + 8 * count;
  if (magic !== MAGIC || own.byteLength !== text + length) {
    throw new MemoError("model", "The tokenizer's vocabulary is damaged", {
      hint: "Run `memo doctor` to diagnose the problem",
    });
  }
  const pieces = new Pieces({
    scores: new Float32Array(own, start, count),
    ends: new Uint32Array(own, start + 4 * count, count),
    text: new Uint8Array(own, text),
  });
  const tokensOf = (text: string) => {
    const tokens: number[] = [];
    for (const word of normalize(text).split(" ")) {
      if (word !== "") pieces.split(WORD_START + word, unknown, tokens);
    }
    return tokens;
  };
  return {
    encode: (text) => [opening, ...tokensOf(text), closing],
    count: (text) => tokensOf(text).length,
    pieceOf: (token) => pieces.at(token),
  };
}

/** Normalises as SentencePiece's `nmt_nfkc`; no piece spans a space, so words can be tokenised one by one. */
function normalize(text: string): string {
  return text
    // deno-lint-ignore no-control-regex
    .replace(/[\u0001-\u0008\u000B\u000E-\u001F\u007F\u008F\u009F]/g, "")
    .replace(/[\s\u1680\u2000-\u200F\u2028\u2029\u202F\u205F\u2581\u3000\uFEFF\uFFFD]/g, " ")
    .split("\uFF5E").map((part) => part.normalize("NFKC")).join("\uFF5E");
}

/** The pieces in a hash table of numbers, and the search for the most likely split of a word into them. */
class Pieces {
  readonly #scores: Float32Array;
  readonly #ends: Uint32Array;
  readonly #text: Uint8Array;
  /** Token id + 1 at the piece's hash, or the next free slot after it. */
  readonly #table: Int32Array;
  readonly #longest: number;
  readonly #unknownScore: number;

  constructor(
    { scores, ends, text }: { scores: Float32Array; ends: Uint32Array; text: Uint8Array },
  ) {
    this.#scores = scores;
    this.#ends = ends;
    this.#text = text;
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(2 * scores.length + 2)));
    let longest = 0, least = 0;
    for (let id = 0; id < scores.length; id++) {
      const from = id === 0 ? 0 : ends[id - 1]!, to = ends[id]!;
      if (from === to) continue;
      longest = Math.max(longest, to - from);
      least = Math.min(least, scores[id]!);
      let hash = SEED;
      for (let at = from; at < to; at++) hash = mix(hash, text[at]!);
      let place = hash & this.#table.length - 1;
      while (this.#table[place] !== 0) place = place + 1 & this.#table.length - 1;
      this.#table[place] = id + 1;
    }
    this.#longest = longest;
    this.#unknownScore = least - UNKNOWN_PENALTY;
  }

  /** The piece of a token. */
  at(id: number): Piece {
    const bytes = this.#text.subarray(id === 0 ? 0 : this.#ends[id - 1], this.#ends[id]);
    return { text: new TextDecoder().decode(bytes), rarity: -this.#scores[id]! };
  }

  /** Adds the tokens of a word to `tokens` (Viterbi's algorithm); adjacent unknown characters are one token. */
  split(word: string, unknown: number, tokens: number[]): void {
    const bytes = UTF8.encode(word);
    const length = bytes.length;
    const best = new Float64Array(length + 1).fill(-Infinity);
    const token = new Int32Array(length + 1), from = new Int32Array(length + 1);
    best[0] = 0;
    for (let start = 0; start < length; start = next(bytes, start)) {
      const character = next(bytes, start);
      const advance = (end: number, score: number, id: number) => {
        if (score <= best[end]!) return;
        best[end] = score;
        token[end] = id;
        from[end] = start;
      };
      advance(character, best[start]! + this.#unknownScore, unknown);
      const last = Math.min(length, start + this.#longest);
      let hash = SEED;
      for (let end = start + 1; end <= last; end++) {
        hash = mix(hash, bytes[end - 1]!);
        if (isInside(bytes[end])) continue;
        const id = this.#find(bytes, { start, end, hash });
        if (id !== NOT_FOUND) advance(end, best[start]! + this.#scores[id]!, id);
      }
    }
    const found: number[] = [];
    for (let end = length; end > 0; end = from[end]!) {
      if (token[end] !== unknown || found.at(-1) !== unknown) found.push(token[end]!);
    }
    tokens.push(...found.reverse());
  }

  #find(
    bytes: Uint8Array,
    { start, end, hash }: { start: number; end: number; hash: number },
  ): number {
    const mask = this.#table.length - 1;
    for (let place = hash & mask;; place = place + 1 & mask) {
      const id = this.#table[place]! - 1;
      if (id === NOT_FOUND || this.#is(id, bytes, { start, end })) return id;
    }
  }

  #is(id: number, bytes: Uint8Array, { start, end }: { start: number; end: number }): boolean {
    const from = id === 0 ? 0 : this.#ends[id - 1]!;
    if (this.#ends[id]! - from !== end - start) return false;
    for (let i = start; i < end; i++) {
      if (this.#text[from + i - start] !== bytes[i]) return false;
    }
    return true;
  }
}

// 32-bit FNV-1a.
const SEED = 0x811c9dc5;
function mix(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/** The start of the next UTF-8 character. */
function next(bytes: Uint8Array, at: number): number {
  at++;
  while (isInside(bytes[at])) at++;
  return at;
}

/** Whether a byte continues a UTF-8 character. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
