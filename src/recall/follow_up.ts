import type { Query } from "../index/query.ts";
import { within } from "../link/within.ts";
import { type Config, lowestThreshold } from "../settings/config.ts";
import { queryTerms } from "../text/analyze.ts";
import { isStopword } from "../text/language/stopwords.ts";
import { SURE_MARGIN } from "./fuse.ts";
import { headAndTail, queryText } from "./query_text.ts";
import {
  asksModel,
  type Ranking,
  type Retrieval,
  retrieve,
  type RetrieveOptions,
} from "./retrieve.ts";

/** The turn before a prompt. */
export interface LastTurn {
  readonly prompt: string;
  /** The last text of the model; "" for none. */
  readonly reply: string;
}

/** What to search for in place of a prompt that says little by itself. */
export interface InContext {
  readonly query: string;
  /**
   * The amount to subtract from scores. A prompt that answers a question is about what was asked; any other may just be
   * about the text at hand ("a bit shorter"), which no memory bears on.
   */
  readonly handicap: number;
}

/** A prompt with more informative words than this stands by itself. */
const FEW = 3;
/** The same in characters, for a text in a script without spaces, whose terms are pairs of characters. */
const FEW_UNSPACED = 10;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Maximum length of the end of the reply: there it asks, or says what it has done. */
const REPLY_CHARS = 300;
/** Maximum length of the prompt before. */
const PROMPT_CHARS = 1000;
const QUESTION = /[?？¿]["'”»)\]*_`]*$/u;
/**
 * Measured on the suite conversation, with what earlier turns were given: of 48 prompts with an answer 26 have it alone
 * and 34 this way (21 and 29 in full), with a block for 3 and 2 of the 28 without one; without the handicap for 5.
 */
const HANDICAP = 0.06;

/** Whether a prompt may refer to what was said before: "do the same for the other one", "sí, hazlo". */
export function isFollowUp(prompt: string): boolean {
  const text = headAndTail(prompt.trim());
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  if (unspaced >= 2) return unspaced <= FEW_UNSPACED;
  return queryTerms(text).filter((term) => !isStopword(term)).length <= FEW;
}

/** Whether the model has asked something that a short prompt may answer. */
export function isAnswer(prompt: string, { reply }: LastTurn): boolean {
  return isFollowUp(prompt) && QUESTION.test(reply.trim());
}

/** What to search for: a follow-up together with the turn before it. */
export function inContext(prompt: string, last: LastTurn): InContext {
  const end = last.reply.trim().slice(-REPLY_CHARS).toWellFormed();
  if (isAnswer(prompt, last)) return { query: `${end}\n${prompt}`, handicap: 0 };
  const before = queryText(last.prompt).slice(0, PROMPT_CHARS).toWellFormed();
  return {
    query: [before, end, prompt].filter((text) => text !== "").join("\n"),
    handicap: HANDICAP,
  };
}

/** Starts retrieving for a follow-up: by itself if that finds something sure, else together with the turn before it. */
export async function retrieveFollowUp(
  alone: Query,
  last: LastTurn,
  { queryFor, ...options }: RetrieveOptions & { readonly queryFor: (text: string) => Query },
): Promise<{ readonly query: Query; readonly started: Retrieval }> {
  const { config } = options;
  const together = inContext(alone.text, last);
  if (together.handicap > 0) {
    const started = retrieve(alone, { ...options, ask: undefined });
    const rankings = await within(config["recall.deadline_ms"], started.local);
    if (rankings !== undefined && isSureOf(rankings, config)) {
      return { query: alone, started: asksModel(options) ? retrieve(alone, options) : started };
    }
  }
  const query = queryFor(together.query);
  return { query, started: retrieve(query, { ...options, handicap: together.handicap }) };
}

/** Whether something is found that would be given whole. */
function isSureOf(rankings: readonly Ranking[], config: Config): boolean {
  const best = Math.max(0, ...rankings.flatMap(({ hits }) => hits.map(({ score }) => score)));
  return best >= lowestThreshold(config) + SURE_MARGIN;
}
