import type { WordState } from "./embedder.ts";
import { type Piece, WORD_START } from "./unigram.ts";

/** Scripts without spaces, whose pieces stand for themselves. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;

/** The words that pieces make up, without the prefix of `skipped` pieces and the tokens that open and close a text. */
export function wordsIn(
  pieces: readonly Piece[],
  states: Float32Array,
  skipped: number,
): readonly WordState[] {
  const width = states.length / pieces.length;
  const words: { text: string; rarity: number; from: number; to: number }[] = [];
  for (let at = 1 + skipped; at < pieces.length - 1; at++) {
    const { text, rarity } = pieces[at]!, last = words.at(-1);
    const begins = last === undefined || text.startsWith(WORD_START) ||
      UNSPACED.test(text) || UNSPACED.test(last.text);
    const plain = text.replace(WORD_START, "");
    if (begins) words.push({ text: plain, rarity, from: at, to: at + 1 });
    else {
      last.text += plain;
      last.rarity += rarity;
      last.to = at + 1;
    }
  }
  return words.filter(({ text }) => text !== "").map(({ text, rarity, from, to }) => ({
    ...{ text, rarity },
    state: meanOf(states, width, from, to),
  }));
}

function meanOf(states: Float32Array, width: number, from: number, to: number): Float32Array {
  const sum = states.slice(from * width, (from + 1) * width);
  for (let i = (from + 1) * width; i < to * width; i++) sum[i % width]! += states[i]!;
  return sum.map((value) => value / (to - from));
}
