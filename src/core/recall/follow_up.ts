import { isEndpoint } from "../embed/mod.ts";
import type { Query } from "../index/query.ts";
import { within } from "../link/within.ts";
import { blankBeforeCut, redactBeforeCut } from "../redact/redact.ts";
import { lowestThreshold } from "../settings/config.ts";
import { contentTerms } from "../text/language/stopwords.ts";
import { wordList } from "../text/tables.ts";
import { awayFromCut, cutPaste, isCut, withoutPrivate } from "../text/paste.ts";
import { barOf } from "./adjust.ts";
import { headAndTail, PASTE_CHARS, queryText } from "./query_text.ts";
import { type Retrieval, retrieve, type RetrieveOptions, usesModel } from "./retrieve.ts";

/** The turn before a prompt. */
export interface LastTurn {
  readonly prompt: string;
  /** The last text of the model; "" for none. */
  readonly reply: string;
}

/** What to search for in place of a prompt that says little by itself. */
export interface InContext {
  readonly query: string;
  /** A prompt that answers a question is about what was asked; any other may just be about the text at hand. */
  readonly adjustment: "follow-up" | undefined;
}

/** A prompt with more informative words than this stands by itself. */
const FEW = 3;
/** The same in characters, for a text in a script without spaces, whose terms are pairs of characters. */
const FEW_UNSPACED = 10;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Maximum length of the end of the reply: there it asks, or says what it has done. */
const REPLY_CHARS = 300;
const PROMPT_CHARS = 1000;
const QUESTION = /[?？¿]["'”»)\]*_`]*$/u;
/** Words for what was said, in the languages of the stopwords. */
const POINTING: ReadonlySet<string> = new Set(wordList("pointing"));
/** Whether a prompt may refer to what was said before, being short: "do the same for the other one", "sí, hazlo". */
export function mayRefer(prompt: string): boolean {
  const text = headAndTail(prompt.trim());
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  return unspaced >= 2 ? unspaced <= FEW_UNSPACED : informative(text).length <= FEW;
}

/** Whether the model has asked something that a short prompt may answer: "sounds good, go", not "open a PR". */
export function isAnswer(prompt: string, { reply }: LastTurn): boolean {
  return QUESTION.test(reply.trim()) && mayRefer(prompt) &&
    !(hasMatter(prompt) && (isOrder(prompt) || QUESTION.test(prompt.trim())));
}

/** Whether a prompt refers to the turn before it: an answer, or one with nothing of its own to hold on to. */
export function isFollowUp(prompt: string, last: LastTurn): boolean {
  return mayRefer(prompt) && (isAnswer(prompt, last) || !hasMatter(prompt));
}

/** Whether a short prompt says what it is about, as "fix the typo" does: verb and object, and nothing points back. */
function hasMatter(prompt: string): boolean {
  return (prompt.match(UNSPACED)?.length ?? 0) < 2 && informative(prompt).length > 1 &&
    !wordsOf(prompt).some((word) => POINTING.has(word));
}

/** Whether a prompt begins as an order does: a verb, an article or the like, and an object. */
function isOrder(prompt: string): boolean {
  const [verb, article, object] = wordsOf(prompt).map((word) => informative(word).length > 0);
  return verb === true && article === false && object === true;
}

function informative(text: string): string[] {
  return [...contentTerms(text)];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** What to search for: a follow-up together with the turn before it. */
export function inContext(prompt: string, last: LastTurn): InContext {
  const end = last.reply.trim().slice(-REPLY_CHARS).toWellFormed();
  if (isAnswer(prompt, last)) return { query: `${end}\n${prompt}`, adjustment: undefined };
  const before = queryText(last.prompt).slice(0, PROMPT_CHARS).toWellFormed();
  const query = [before, end, prompt].filter((text) => text !== "").join("\n");
  return { query, adjustment: "follow-up" };
}

/** Starts retrieving for a follow-up: by itself if that finds something clear, else together with the turn before it. */
export async function retrieveFollowUp(
  alone: Query,
  together: InContext,
  { queryFor, ...options }: RetrieveOptions & { readonly queryFor: (text: string) => Query },
): Promise<{ readonly query: Query; readonly started: Retrieval }> {
  const { config } = options;
  const { adjustment } = together;
  if (adjustment !== undefined) {
    const started = retrieve(alone, { ...options, ask: undefined });
    const rankings = await within(config["recall.deadline_ms"], started.local);
    const scores = rankings?.flatMap(({ hits }) => hits.map(({ score }) => score)) ?? [];
    // Given without waiting for a language model.
    if (Math.max(0, ...scores) >= barOf("clear", lowestThreshold(config))) {
      return { query: alone, started: usesModel(options) ? retrieve(alone, options) : started };
    }
  }
  const query = queryFor(together.query);
  return { query, started: retrieve(query, { ...options, adjustment }) };
}

/**
 * A prompt, and the turn before it if it refers to that. Where they may go to a language model or an embedding model
 * elsewhere, secrets go before they are cut: half a secret, or one without the tag before it, is not recognized later.
 */
export async function searchable(
  { prompt, before }: {
    readonly prompt: string;
    readonly before?: (() => Promise<LastTurn | undefined>) | undefined;
  },
  options: Pick<RetrieveOptions, "config" | "ask" | "only">,
): Promise<{ readonly prompt: string; readonly last: LastTurn | undefined }> {
  const mayLeave = usesModel(options) || isEndpoint(options.config.model);
  const turn = mayRefer(prompt) ? await before?.() : undefined;
  const last = turn && isFollowUp(prompt, turn) ? turn : undefined;
  const short = last && { ...last, prompt: cutPaste(last.prompt) };
  if (!mayLeave) return { prompt, last: short };
  return {
    // One that is not cut loses its other secrets with the whole question.
    prompt: prompt.length > PASTE_CHARS ? redactPaste(prompt) : withoutPrivate(prompt),
    last: short && { prompt: redactPaste(short.prompt), reply: redactBeforeCut(short.reply) },
  };
}

/** A long prompt without its secrets, and without what may be half of one at the cut of a paste. */
function redactPaste(prompt: string): string {
  return isCut(prompt) ? awayFromCut(blankBeforeCut(prompt)) : redactBeforeCut(prompt);
}
