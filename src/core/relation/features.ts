// What two texts share and where they differ, as numbers: each word of one beside the word of the other whose state is
// nearest to it. `tools/train/relation.py` learns from them, `judge.ts` reads them.

import { dot, unit, type WordState } from "../embed/embedder.ts";

/** A text as it is compared. */
export interface ReadText {
  readonly words: readonly ReadWord[];
  /** The mean of its words' states, of length 1. */
  readonly vector: Float32Array;
}

interface ReadWord {
  /** Lower case, without the marks around it. */
  readonly text: string;
  readonly isNumber: boolean;
  readonly isName: boolean;
  /** How much it tells, 0–1: function words are common. */
  readonly weight: number;
  /** Of length 1, without what all states have in common. */
  readonly state: Float32Array;
}

/** The rarity of a word that tells nothing, and of one that tells all. */
const COMMON = 5, RARE = 13;
const MARKS = /^[^\p{L}\p{N}#$€%]+|[^\p{L}\p{N}%+#]+$/gu;

/** Reads a text's words; `common` is the mean of the unit states of many texts. */
export function readText(words: readonly WordState[], common: Float32Array): ReadText {
  const read = words.flatMap(({ text, rarity, state }, i): ReadWord[] => {
    const plain = text.replace(MARKS, "");
    if (plain === "") return [];
    const own = unit(state);
    return [{
      text: plain.toLowerCase(),
      isNumber: /\p{N}/u.test(plain),
      isName: i > 0 && /^\p{Lu}/u.test(plain),
      weight: Math.min(1, Math.max(0.05, (rarity - COMMON) / (RARE - COMMON))),
      state: unit(own.map((value, at) => value - common[at]!)),
    }];
  }).slice(0, MOST_WORDS);
  const sum = new Float32Array(common.length);
  for (const { state } of read) state.forEach((value, at) => sum[at]! += value);
  return { words: read, vector: unit(sum) };
}

/** Words of a text that are compared. */
const MOST_WORDS = 28;

/** A pair of texts as the judge sees it. */
export interface ComparedPair {
  readonly numbers: Readonly<Record<string, number>>;
  /** Of each word of the earlier text, and of the later one, the numbers of `rowsOf`, … */
  readonly rows: readonly [readonly number[][], readonly number[][]];
  /** … and the place of the nearest word in the other text. */
  readonly at: readonly [readonly number[], readonly number[]];
}

/** What the words of one text find in the other. */
interface Aligned {
  /** Of each word, how near the nearest word of the other is. */
  readonly near: readonly number[];
  /** Where that is. */
  readonly at: readonly number[];
}

/** A word is found in the other text from this nearness on. */
const FOUND = 0.6;

/** Compares an earlier text with a later one. */
export function comparePair(earlier: ReadText, later: ReadText): ComparedPair {
  const a = earlier.words, b = later.words;
  const table = a.map((one) =>
    b.map((other) => one.text === other.text ? 1 : dot(one.state, other.state))
  );
  const ofA = aligned(table), ofB = aligned(transposed(table, b.length));
  const runsA = runsOf(ofA.near), runsB = runsOf(ofB.near);
  const [topA, nextA] = mostTelling(a, ofA), [topB, nextB] = mostTelling(b, ofB);
  const between = (i: number | undefined, j: number | undefined) =>
    i === undefined || j === undefined ? -1 : table[i]![j]!;
  const [numbersA, numbersB] = [a, b].map((words) =>
    new Set(words.filter(({ isNumber }) => isNumber).map(({ text }) => text))
  ) as [Set<string>, Set<string>];
  const [textsA, textsB] = [a, b].map((words) => new Set(words.map(({ text }) => text))) as [
    Set<string>,
    Set<string>,
  ];
  const before = commonAt(a, b), after = commonAt(a.toReversed(), b.toReversed());
  const least = Math.max(1, Math.min(a.length, b.length));
  const numbers = {
    cosine: dot(earlier.vector, later.vector),
    ...prefixed("a", spreadOf(a, ofA)),
    ...prefixed("b", spreadOf(b, ofB)),
    ...prefixed("a", runsA),
    ...prefixed("b", runsB),
    ...prefixed("a", placesOf(a, ofA, topA, nextA)),
    ...prefixed("b", placesOf(b, ofB, topB, nextB)),
    topTop: between(topA, topB),
    topNext: between(topA, nextB),
    nextTop: between(nextA, topB),
    nextNext: between(nextA, nextB),
    /** Whether what stands before, and behind, the two most telling differences is found beside them. */
    sameBefore: neighbour(table, topA, topB, -1),
    sameAfter: neighbour(table, topA, topB, 1),
    shared: textsA.intersection(textsB).size / Math.max(1, textsA.union(textsB).size),
    sharedOfLess: textsA.intersection(textsB).size /
      Math.max(1, Math.min(textsA.size, textsB.size)),
    numbersBoth: numbersA.intersection(numbersB).size,
    numbersA: numbersA.difference(numbersB).size,
    numbersB: numbersB.difference(numbersA).size,
    before: before / least,
    after: Math.min(after, least - before) / least,
    lengthA: a.length,
    lengthB: b.length,
    ratio: a.length / Math.max(1, b.length),
    order: orderOf(ofA),
  };
  return {
    numbers,
    rows: [rowsOf(a, b, table, ofA), rowsOf(b, a, transposed(table, b.length), ofB)],
    at: [ofA.at, ofB.at],
  };
}

function rowsOf(
  words: readonly ReadWord[],
  others: readonly ReadWord[],
  table: readonly (readonly number[])[],
  { near, at }: Aligned,
) {
  /** How near the word before, or behind, is to the one that stands so beside the nearest word. */
  const beside = (i: number, by: number) =>
    words[i + by] === undefined
      ? Number(others[at[i]! + by] === undefined)
      : table[i + by]![at[i]! + by] ?? 0;
  return words.map(({ weight, isNumber, isName }, i) => [
    near[i]!,
    Number(near[i] === 1),
    weight,
    Number(isNumber),
    Number(isName),
    i / Math.max(1, words.length - 1),
    lackOf(weight, near[i]!),
    Number(others[at[i]!]?.isNumber ?? false),
    at[i]! / Math.max(1, others.length - 1),
    beside(i, -1),
    beside(i, 1),
  ]);
}

/** How much a word tells that the other text does not have. */
function lackOf(weight: number, near: number): number {
  return weight * (1 - near);
}

function prefixed(side: string, numbers: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [side + "." + name, value]),
  );
}

function aligned(table: readonly (readonly number[])[]): Aligned {
  const at = table.map((row) => row.reduce((best, value, j) => value > row[best]! ? j : best, 0));
  return { at, near: at.map((j, i) => table[i]![j] ?? 0) };
}

function transposed(table: readonly (readonly number[])[], width: number): number[][] {
  return Array.from({ length: width }, (_, j) => table.map((row) => row[j]!));
}

/** How near a text's words are to the other's: in all, weighted by what they tell, and by thirds. */
function spreadOf(words: readonly ReadWord[], { near }: Aligned) {
  const sorted = near.toSorted((x, y) => x - y);
  const third = Math.max(1, Math.floor(near.length / 3));
  const weights = words.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const weighted = (value: (i: number) => number) =>
    words.reduce((sum, { weight }, i) => sum + weight * value(i), 0) / weights;
  return {
    mean: mean(near),
    least: sorted[0] ?? 0,
    quarter: sorted[Math.floor(near.length / 4)] ?? 0,
    half: sorted[Math.floor(near.length / 2)] ?? 0,
    weighted: weighted((i) => near[i]!),
    told: weighted((i) => near[i]! < FOUND ? 1 : 0),
    far: weighted((i) => near[i]! < 0.35 ? 1 : 0),
    exact: weighted((i) => near[i] === 1 ? 1 : 0),
    first: mean(near.slice(0, third)),
    last: mean(near.slice(-third)),
    begin: mean(near.slice(0, 2)),
    end: mean(near.slice(-2)),
  };
}

/** The runs of words that the other text does not have. */
function runsOf(near: readonly number[]) {
  let runs = 0, longest = 0, length = 0;
  for (const value of near) {
    length = value < FOUND ? length + 1 : 0;
    if (length === 1) runs++;
    longest = Math.max(longest, length);
  }
  return { runs, longest };
}

/** The two words that tell most of what the other text does not have. */
function mostTelling(words: readonly ReadWord[], { near }: Aligned): (number | undefined)[] {
  const lack = (i: number) => lackOf(words[i]!.weight, near[i]!);
  return words.map((_, i) => i).filter((i) => near[i]! < 1).sort((x, y) => lack(y) - lack(x))
    .slice(0, 2);
}

/** Where those stand, how much they tell, and of what kind they are. */
function placesOf(
  words: readonly ReadWord[],
  { near }: Aligned,
  top: number | undefined,
  next: number | undefined,
) {
  const lack = (i: number | undefined) => i === undefined ? 0 : lackOf(words[i]!.weight, near[i]!);
  const place = (i: number | undefined) => i === undefined ? -1 : i / Math.max(1, words.length - 1);
  const kind = (i: number | undefined) =>
    i === undefined ? -1 : words[i]!.isNumber ? 2 : words[i]!.isName ? 1 : 0;
  return {
    lack: lack(top),
    lackNext: lack(next),
    place: place(top),
    placeNext: place(next),
    kind: kind(top),
    kindNext: kind(next),
    names: words.filter(({ isName }, i) => isName && near[i]! < 1).length,
  };
}

function neighbour(
  table: readonly (readonly number[])[],
  i: number | undefined,
  j: number | undefined,
  by: number,
): number {
  if (i === undefined || j === undefined) return -1;
  const row = table[i + by], isEnd = row === undefined, isOtherEnd = !(j + by in table[i]!);
  return isEnd || isOtherEnd ? (isEnd && isOtherEnd ? 1 : 0) : row[j + by]!;
}

/** How much of what is found stands in the same order: of neighbouring words, the share that go on. */
function orderOf({ near, at }: Aligned): number {
  const found = at.filter((_, i) => near[i]! >= FOUND);
  if (found.length < 2) return 0;
  return found.slice(1).filter((place, i) => place > found[i]!).length / (found.length - 1);
}

function commonAt(a: readonly ReadWord[], b: readonly ReadWord[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at]!.text === b[at]!.text) at++;
  return at;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
