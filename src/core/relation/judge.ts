// How a later text stands to an earlier one, learned from pairs that people might write: a small network over the words
// of both, each beside the word that is nearest to it in the other (decomposable attention, Parikh et al. 2016), and
// boosted trees over the numbers of the pair. `tools/train/relation.py` makes the weights.

import { withoutGlobs } from "../memory/applies.ts";
import { withoutDates } from "../text/relative_day.ts";
import type { Embedder } from "../embed/embedder.ts";
import { type ComparedPair, comparePair, type ReadText, readText } from "./features.ts";
import { type Answer, ANSWERS } from "./relate.ts";
import { keepingLast, once, remembering } from "../text/remembered.ts";
import type { Text } from "./statements.ts";

/** The probabilities of all answers, which add up to 1. */
export type Probabilities = Readonly<Record<Answer, number>>;

/** A judge with the encoder that reads for it. */
export interface Judge {
  /**
   * How a later text stands to an earlier one, as far as texts tell, some milliseconds of work. Each text is read once, which
   * takes ten.
   */
  compare(earlier: Text, later: Text): Promise<Probabilities>;
}

/** The judge's weights: 16-bit floats in base64, matrices row by row; of the trees 32-bit ones. */
interface JudgeFile {
  /** The mean of all words' states. */
  readonly common: string;
  /** The names of a pair's numbers, with mean and spread of each. */
  readonly numbers: readonly (readonly [name: string, mean: number, spread: number])[];
  readonly nets: readonly Readonly<Record<NetPart, string>>[];
  /** Of the network's widths: of a word, and of the layer before the answers. */
  readonly widths: { readonly word: number; readonly hidden: number };
  readonly trees: TreesFile;
  /** The share of the networks' logarithms of probabilities; the rest is the trees'. */
  readonly share: number;
  /** What those are multiplied by, so that a probability is one, … */
  readonly sharpness: number;
  /** … and what is added to those of `replaces` and `partly`: neighbours in a store are closer than what was learned from. */
  readonly shift: number;
}

const NET_PARTS = [
  ...["own", "other", "both", "word", "wordBias"],
  ...["pair", "pairBias", "answer", "answerBias"],
] as const;
type NetPart = typeof NET_PARTS[number];
type NetWeights = Readonly<Record<NetPart, Float32Array>>;

/** A network, and what it has made of the texts that are in use. */
interface Net extends NetWeights {
  /** Of each word of a text its state times `own`, … */
  ownOf(text: ReadText): readonly Float64Array[];
  /** … and times `other`. */
  otherOf(text: ReadText): readonly Float64Array[];
  /** Its side of the pairs with other texts: it is the same whichever text is the earlier one. */
  sides(own: ReadText): WeakMap<ReadText, readonly number[]>;
}

/** Trees, each for one answer in turn: of each node its number, the threshold, and where it goes on. */
interface TreesFile {
  readonly base: readonly number[];
  /** Where each tree begins. */
  readonly starts: string;
  /** A node's number; -1: a leaf. */
  readonly features: string;
  /** A node's threshold, up to which it goes left; a leaf's value. */
  readonly values: string;
  /** Where a node goes on to the left, from its tree's start; to the right one goes on behind that. */
  readonly lefts: string;
}

/** The judge that reads with an embedder; undefined: it has no states of words. Its weights are loaded for the first pair. */
export function openJudge({ wordStates }: Embedder): Judge | undefined {
  if (wordStates === undefined) return undefined;
  // Neighbours are compared with the same ones again.
  const read = keepingLast(
    KEPT,
    async (said: string) => readText(await wordStates(said), (await weights()).common),
  );
  return {
    async compare(one, other) {
      const { file, nets, trees } = await weights();
      const earlier = await read(saying(one)), later = await read(saying(other));
      const pair = comparePair(earlier, later);
      const given = file.numbers.map(([name]) => pair.numbers[name]!);
      const scaled = file.numbers.map(([, mean, spread], i) =>
        Math.min(LARGEST, Math.max(-LARGEST, (given[i]! - mean) / spread))
      );
      const byTrees = logSoftmax(grown(trees, given));
      const all = nets.map((net) =>
        logSoftmax(answers(net, file.widths.hidden, { earlier, later, pair, scaled }))
      );
      const mixed = byTrees.map((value, answer) => {
        const byNets = all.reduce((sum, each) => sum + each[answer]!, 0) / all.length;
        const score = file.sharpness * (file.share * byNets + (1 - file.share) * value);
        return score + (OVER.has(ANSWERS[answer]!) ? file.shift : 0);
      });
      const probabilities = logSoftmax(mixed).map(Math.exp);
      return Object.fromEntries(
        ANSWERS.map((answer, i) => [answer, probabilities[i]!]),
      ) as Record<Answer, number>;
    },
  };
}

/** The weights as they are computed with; decoded once. */
const weights = once(async () => {
  const file = (await import("./judge.json", { with: { type: "json" } }))
    .default as unknown as JudgeFile;
  const { base, starts, features, values, lefts } = file.trees;
  const trees: Trees = {
    ...{ base, starts: ints(starts), features: ints(features) },
    ...{ values: floats(values), lefts: ints(lefts) },
  };
  const nets = file.nets.map((each): Net => {
    const net = Object.fromEntries(
      NET_PARTS.map((part) => [part, halves(each[part])]),
    ) as NetWeights;
    const times = (matrix: Float32Array) =>
      remembering(({ words }: ReadText) =>
        words.map(({ state }) => accumulate(new Float64Array(file.widths.word), state, matrix))
      );
    const sides = remembering((_: ReadText) => new WeakMap<ReadText, readonly number[]>());
    return { ...net, ownOf: times(net.own), otherOf: times(net.other), sides };
  });
  return { file, common: halves(file.common), nets, trees };
});

/** The answers by which the earlier text does not hold as it is. */
const OVER: ReadonlySet<Answer> = new Set(["replaces", "partly"]);
/** The largest size of a scaled number. */
const LARGEST = 4;
/** Of a memory's text that is read. */
const READ_CHARS = 400;
/** Texts that stay read: 60 KB each. */
const KEPT = 400;

/**
 * What a memory says: its text, under its name where the text does not begin with it. Neither the files that it is for
 * belong to that, nor the dates that memo wrote behind its days: two of these look like two values of one thing.
 */
function saying(memory: Text): string {
  const name = withoutDates(memory.name), body = withoutDates(withoutGlobs(memory.body));
  const plain = (text: string) => text.replace(/[\s#*_`.…]+/g, " ").trim().toLowerCase();
  const begins = plain(body.slice(0, READ_CHARS)).startsWith(plain(name));
  const text = begins ? body.trim() : `${name.replace(/[.…]$/, "")}. ${body.trim()}`.trim();
  return text.slice(0, READ_CHARS);
}

interface PairInput {
  readonly earlier: ReadText;
  readonly later: ReadText;
  readonly pair: ComparedPair;
  readonly scaled: readonly number[];
}

/** A network's scores of the answers. */
function answers(
  net: Net,
  hidden: number,
  { earlier, later, pair: { rows, at }, scaled }: PairInput,
): number[] {
  const input = [
    ...side(net, { own: earlier, other: later, rows: rows[0], at: at[0] }),
    ...side(net, { own: later, other: earlier, rows: rows[1], at: at[1] }),
    ...scaled,
  ];
  const layer = layered(input, net.pair, net.pairBias, hidden).map(gelu);
  return layered(layer, net.answer, net.answerBias, ANSWERS.length);
}

/** What the words of one text say beside the other: their mean, weighted by what the other lacks, and the most of each. */
function side(
  net: Net,
  { own, other, rows, at }: {
    readonly own: ReadText;
    readonly other: ReadText;
    readonly rows: readonly (readonly number[])[];
    readonly at: readonly number[];
  },
): readonly number[] {
  const known = net.sides(own).get(other);
  if (known !== undefined) return known;
  const width = net.wordBias.length;
  const mean = new Array<number>(width).fill(0), most = new Array<number>(width).fill(-9);
  const total = rows.reduce((sum, row) => sum + row[LACK]! + LEAST, 0);
  const ofOwn = net.ownOf(own), ofOther = net.otherOf(other);
  for (const [i, row] of rows.entries()) {
    const near = at[i]!, from = ofOther[near];
    const sum = ofOwn[i]!.map((value, k) => value + net.wordBias[k]! + (from?.[k] ?? 0));
    if (from !== undefined) {
      const { state } = other.words[near]!;
      accumulate(sum, own.words[i]!.state.map((value, k) => value * state[k]!), net.both);
    }
    accumulate(sum, row, net.word);
    const share = (row[LACK]! + LEAST) / total;
    for (let k = 0; k < width; k++) {
      const value = gelu(sum[k]!);
      mean[k]! += share * value;
      most[k] = Math.max(most[k]!, value);
    }
  }
  const found = [...mean, ...most];
  net.sides(own).set(other, found);
  return found;
}

/** Which of a word's numbers says how much it tells that the other text lacks, and the least that it counts. */
const LACK = 6, LEAST = 0.02;

/** Adds a row times a matrix, and returns the sum. */
function accumulate(
  sum: Float64Array<ArrayBuffer>,
  row: ArrayLike<number>,
  matrix: Float32Array,
): Float64Array<ArrayBuffer> {
  const width = sum.length;
  for (let i = 0; i < row.length; i++) {
    const value = row[i]!;
    for (let k = 0, at = i * width; k < width; k++, at++) sum[k]! += value * matrix[at]!;
  }
  return sum;
}

function layered(
  row: ArrayLike<number>,
  matrix: Float32Array,
  bias: Float32Array,
  width: number,
): number[] {
  const sum = new Float64Array(width);
  accumulate(sum, row, matrix);
  return Array.from(sum, (value, k) => value + bias[k]!);
}

/** GELU by its approximation with a hyperbolic tangent (Hendrycks and Gimpel 2016). */
function gelu(x: number): number {
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

interface Trees {
  readonly base: readonly number[];
  readonly starts: Int32Array;
  readonly features: Int32Array;
  readonly values: Float32Array;
  readonly lefts: Int32Array;
}

/** The trees' scores of the answers. */
function grown({ base, starts, features, values, lefts }: Trees, given: readonly number[]) {
  const scores = [...base];
  for (const [tree, start] of starts.entries()) {
    let node = start;
    for (let feature; (feature = features[node]!) >= 0;) {
      node = start + lefts[node]! + Number(given[feature]! > values[node]!);
    }
    scores[tree % base.length]! += values[node]!;
  }
  return scores;
}

function logSoftmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const log = most + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0));
  return scores.map((score) => score - log);
}

function bytesOf(base64: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(base64, "base64")).buffer;
}

function floats(base64: string): Float32Array {
  return new Float32Array(bytesOf(base64));
}

function halves(base64: string): Float32Array {
  return Float32Array.from(new Float16Array(bytesOf(base64)));
}

function ints(base64: string): Int32Array {
  return new Int32Array(bytesOf(base64));
}
