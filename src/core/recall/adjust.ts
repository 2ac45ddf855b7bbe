// Every number between the score that a strategy gives and what comes with a prompt.

import type { IndexedMemory } from "../index/corpus.ts";
import { type Config, typeSettings } from "../settings/config.ts";
import type { Hit } from "../../../strategies/strategy.ts";

/** What moves a score besides its ranking; what applied stands among its parts. */
export const ADJUSTMENTS = {
  /**
   * A prompt that is searched for with the turn before it may be about the text at hand ("a bit shorter"), which no
   * memory bears on. Of 48 such prompts with an answer 34 have it, 26 when searched for alone; of 28 without one 2 get a
   * block, 5 without this.
   */
  "follow-up": -0.06,
  /** A part of a rule whose other part is given: the conversation that both come from vouches for it. */
  sibling: 0.1,
  /** What was imported is needed more rarely: it comes by its title only if it is so much nearer. */
  imported: -0.05,
} as const;

/** How far above its type's threshold a memory's score has to be for each form. */
export const FORMS = {
  /** Its text, whole or an excerpt; of a memory that is a single line, that line. */
  text: 0,
  /** A line that the start has listed comes again, and no language model is waited for. */
  clear: 0.03,
  /** What was meant, by all that is known: a memory of a single line has its facts and path, and no title comes beside. */
  certain: 0.18,
  /** The second of two things that a prompt asks for comes from so far below, as a line: of 54 such prompts 52 get both, 40 without it. */
  second: -0.1,
  /** Its title, where no text comes … */
  title: -0.07,
  /** … and in a store that no start can list, whose prompts go on with its titles. */
  titleOfMany: -0.13,
} as const;

/** What fits less beside what fits is not what was meant: as a share of the best score. */
export const SHARES = {
  /** Below it a memory is dropped: .82, not .73, of what retention's prompts get is needed. */
  nearBest: 0.9,
  /** The same for one that has as many of the prompt's words as the best one: two rules for one thing. */
  asMuch: 0.8,
} as const;

/** How many titles come at most, with a prompt and with all prompts of a session. */
export const MOST = { titles: 2, titlesOfSession: 40 } as const;

/**
 * The score of what a prompt calls by name among other words: surely, so that what is not called has to be nearly as
 * good beside it, or perhaps by chance, so that it has to fit by itself too. A name of more memories is a subject.
 */
export const CALLED = { surely: 0.5, perhaps: 0.3, most: 3 } as const;

/** How far above its type's threshold a score is; negative: below it. */
export function marginOf(
  { memory, score }: { readonly memory: Pick<IndexedMemory, "type">; readonly score: number },
  { config }: { readonly config: Config },
): number {
  return score - typeSettings(config, memory.type).threshold;
}

/** A score moved by one of the rows. */
export function adjusted<H extends Pick<Hit, "score" | "parts">>(
  hit: H,
  row: keyof typeof ADJUSTMENTS,
): H {
  const by = ADJUSTMENTS[row];
  const score = Math.min(1, Math.max(0, hit.score + by));
  return { ...hit, score, parts: { ...hit.parts, [row]: by } };
}
