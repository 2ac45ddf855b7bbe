// The probability that a prompt needs a memory: the one judgement that ranks memories and decides what comes. It is a
// logistic regression, whose weights stand in `need.json`; `tools/train/need.ts` fits them to all development sets.

import WEIGHTS from "./need.json" with { type: "json" };
import { type Calibration, scaled } from "../src/core/embed/mod.ts";
import type { PassageHit } from "../src/core/index/corpus.ts";
import type { Query } from "../src/core/index/query.ts";
import type { Lexical } from "./lexical.ts";
import type { Hit, RankOptions } from "./strategy.ts";

/** What is known of a prompt and a memory, by the names that people read. */
export type NeedFeatures<F extends string = string> = Readonly<Record<F, number>>;

/** Features of the words of a prompt, whatever strategy ranks. */
export type WordFeature = typeof WORD_FEATURES[number];
export const WORD_FEATURES = [
  "words",
  "fewer words than another",
  "rare words",
  "exact identifier",
  "length of the prompt",
  "size of the store",
  "another language",
] as const;

/** The features that a strategy's probability is made of. */
export const FEATURES = {
  hybrid: [...WORD_FEATURES, "meaning", "another is nearer", "ways to be near"],
  keyword: WORD_FEATURES,
  recency: [...WORD_FEATURES, "freshness"],
} as const satisfies Record<string, readonly string[]>;

/** BM25 of a memory that many rare words lead to; more says no more. */
const PLENTY = 20;
/** In fewer memories something is not less likely to be near by chance. */
const FEWEST = 10;

/** What the words of a prompt say of a memory; of one that shares none, too. */
export function wordFeatures(
  memory: number,
  { query, found, size }: {
    readonly query: Query;
    readonly found: Lexical;
    /** Memories that apply. */
    readonly size: number;
  },
): NeedFeatures<WordFeature> {
  const share = found.scores.get(memory) ?? 0;
  return {
    "words": share,
    "fewer words than another": found.best - share,
    "rare words": Math.min(PLENTY, share * found.full) / PLENTY,
    "exact identifier": found.exact.has(memory) ? 1 : 0,
    "length of the prompt": Math.log2(1 + found.asked),
    "size of the store": Math.log10(Math.max(FEWEST, size)),
    "another language": query.isForeign ? 1 : 0,
  };
}

/** What a memory's best passage says of it, beside that of the nearest memory. */
export function meaningFeatures(
  { nearness, views }: Pick<PassageHit, "nearness" | "views">,
  { nearest, calibration }: { readonly nearest: number; readonly calibration: Calibration },
) {
  const meaning = scaled(nearness, calibration);
  return {
    "meaning": meaning,
    "another is nearer": scaled(nearest, calibration) - meaning,
    "ways to be near": Math.log2(views),
  };
}

/** A probability, and the sum that it comes from. */
export interface Need {
  /** 0–1. */
  readonly score: number;
  /** What each feature adds to the logarithm of the odds; what adds nothing is left out. */
  readonly sum: Readonly<Record<string, number>>;
}

/** The name of what stands in a sum before anything is known. */
export const BASE = "at first";

/** What a strategy knows of one memory. */
export interface RankEvidence extends Pick<Hit, "memory" | "passage" | "parts"> {
  /** Whose weights are for it: what has no vector yet, just written, is judged by its words. */
  readonly by: keyof typeof FEATURES;
  readonly features: NeedFeatures;
}

/** The memories of which something is known, those first that a prompt most probably needs. */
export function ranked(all: readonly RankEvidence[], { limit }: Pick<RankOptions, "limit">): Hit[] {
  return all.map(({ by, features, ...hit }): Hit => ({ ...hit, ...needOf(by, features) }))
    .sort((a, b) => b.score - a.score || a.memory - b.memory).slice(0, limit);
}

/** The probability that a prompt needs a memory with such features. */
export function needOf(strategy: keyof typeof FEATURES, features: NeedFeatures): Need {
  const weights = WEIGHTS[strategy] as NeedFeatures;
  const sum: Record<string, number> = { [BASE]: weights[BASE]! };
  for (const [name, value] of Object.entries(features)) {
    const by = weights[name]! * value;
    if (by !== 0) sum[name] = by;
  }
  return { score: probability(sum), sum };
}

/** The features that speak for a memory, and not for every one. */
const REASONS = ["words", "rare words", "exact identifier", "meaning", "freshness"];

/** The two features that speak most for a memory. */
export function strongestOf(sum: Need["sum"] = {}): readonly string[] {
  return REASONS.filter((name) => (sum[name] ?? 0) > 0)
    .sort((a, b) => sum[b]! - sum[a]!).slice(0, 2);
}

/** The probability whose log-odds are a sum. */
export function probability(sum: Readonly<Record<string, number>>): number {
  return 1 / (1 + Math.exp(-Object.values(sum).reduce((total, by) => total + by, 0)));
}
