// Every number between the probability that a strategy gives and what comes with a prompt.

import type { IndexedMemory } from "../index/corpus.ts";
import { type Config, typeSettings } from "../settings/config.ts";
import { probability } from "../../../strategies/need.ts";
import type { Hit } from "../../../strategies/strategy.ts";

/** What moves a probability besides its ranking, in log-odds; what applied stands in its sum. */
export const ADJUSTMENTS = {
  /** A prompt that is searched for with the turn before it may be about the text at hand ("a bit shorter"), which no memory bears on. */
  "follow-up": -0.2,
  /** A part of a rule whose other part is given: the conversation that both come from vouches for it. */
  sibling: 0.9,
  /** A memory that says which files it is for, where the prompt is about these, and where it is about others. */
  "for these files": 0.5,
  "for other files": -1,
  /** What was imported is needed more rarely: it comes by its title only if it is so much likelier. */
  imported: -0.4,
} as const;

/** A form in which a memory comes. */
export type RecallForm = keyof typeof FORMS;

/** How probable it has to be for each form that a prompt needs a memory, where its type's threshold is the usual one. */
export const FORMS = {
  /** Its text, whole or an excerpt; of a memory that is a single line, that line. */
  text: 0.35,
  /** A line that the start has listed comes again, and no language model is waited for. */
  clear: 0.37,
  /** What was meant, by all that is known: a memory of a single line has its facts and path, and no title comes beside. */
  certain: 0.75,
  /** The second of two things that a prompt asks for comes as a line: of 28 such prompts of the suite holds 18 get both without it. */
  second: 0.13,
  /** Its title, where no text comes … */
  title: 0.23,
  /** … and where more of them are worth it: in a store of a few memories, or in one that no start can list. */
  anyTitle: 0.13,
} as const;

/** What is less probable beside what fits was not meant, as a share of the best probability: below it a memory is dropped. */
export const NEAR_BEST = 0.8;

/** A store of a few memories: of 44 prompts on 12 notes 29 get the one that they mean, 20 without `anyTitle`. */
export const FEW = 20;

/** How many titles come at most, with a prompt and with all prompts of a session. */
export const MOST = { titles: 2, titlesOfSession: 40 } as const;

/**
 * The probability for what a prompt calls by name among other words: surely, so that what is not called has to be nearly as
 * good beside it, or perhaps by chance, so that it has to fit by itself too. A name of more memories is a subject.
 */
export const CALLED = { surely: 0.7, perhaps: 0.3, most: 3 } as const;

/** The probability that a form needs at a threshold: another threshold than the usual one moves all forms by the same odds. */
export function barOf(form: RecallForm, threshold: number): number {
  if (form === "text") return threshold;
  if (threshold === FORMS.text) return FORMS[form];
  const [own, usual, at] = [FORMS[form], FORMS.text, threshold].map(logOdds);
  return probability({ form: own! - usual! + at! });
}

/** Whether it is probable enough that a memory is needed for it to come in a form. */
export function isEnoughFor(
  form: RecallForm,
  { memory, score }: { readonly memory: Pick<IndexedMemory, "type">; readonly score: number },
  { config }: { readonly config: Config },
): boolean {
  return score >= barOf(form, typeSettings(config, memory.type).threshold);
}

/** A probability moved by one of the rows. */
export function adjusted<H extends Pick<Hit, "score" | "sum">>(
  hit: H,
  row: keyof typeof ADJUSTMENTS,
): H {
  const sum = { ...hit.sum ?? { score: logOdds(hit.score) }, [row]: ADJUSTMENTS[row] };
  return { ...hit, score: probability(sum), sum };
}

function logOdds(p: number): number {
  return Math.log(p) - Math.log(1 - p);
}
