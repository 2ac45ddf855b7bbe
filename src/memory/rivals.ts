// Whether a later memory says of one thing what an earlier one says differently. No language model is asked, so that only
// wordings count which leave no doubt: a figure in the place of a figure, a `not`, or words that say so ("no longer").
// A name in the place of a name may be another case of the same: both stand, and are said to disagree.

import { basename, dirname, join } from "node:path";
import { contentTerms } from "../text/content_terms.ts";
import type { Memory, MemoryFile } from "./memory.ts";

/** What a later memory does to an earlier one: it takes its place, or says otherwise without a word on which holds. */
export type Rivalry = "overtaken" | "rivals";

type Said = Pick<Memory, "name" | "body"> & Partial<Pick<MemoryFile, "path" | "tags">>;

/** The tag of a memory that a model has said to contradict the one in a file beside it, where nobody has settled that. */
export function contradicting(path: string): string {
  return CONTRADICTS + basename(path);
}

const CONTRADICTS = "contradicts:";

/** The files that such tags of a memory name. */
export function contradictedBy({ tags, path }: Pick<MemoryFile, "tags" | "path">): string[] {
  return tags.filter((tag) => tag.startsWith(CONTRADICTS))
    .map((tag) => join(dirname(path), basename(tag.slice(CONTRADICTS.length))));
}

/** Whether a memory has that tag for another one. */
export function isSaidAgainst({ tags }: Said, { path }: Said): boolean {
  return path !== undefined && tags !== undefined && tags.includes(contradicting(path));
}

/** Words that say of something else that it is over, or how it was. */
const OVER =
  /(?<![\p{L}\p{N}])(?:no longer|not? [^.;]{0,60}any ?more|(?:is|are) gone|(?:was|were) (?:dropped|removed|replaced|abandoned)|instead of|replaced|moved (?:to|from)|migrated|switched (?:to|from)|t(?:ook|aken) (?:over (?:from|for)|[^.;]{1,40} place)|(?:has|have) left|nicht mehr|kein\p{L}* [^.;]{0,40}mehr|ab jetzt|umgezogen|umgestiegen|abgeschafft|ya no|en vez de|en lugar de|(?:ne|n['’]) ?[^.;]{1,40} plus|plus de|désormais|au lieu de|non più|al posto di|não [^.;]{0,40}mais)(?![\p{L}\p{N}])|不再|改用|改为|もう[^。]{0,20}ない|больше не/iu;
/** A sentence of a note that says of the note itself what came in its place. */
const REPLACED_BY =
  /(?<=[.;!?]\s+)(?:\p{L}+ )?(?:replaced|superseded|ersetzt|abgelöst|reemplazad[oa]|sustituid[oa]|remplacée?|sostituit[oa]|substituíd[oa]) (?:by|durch|von|por|par|da|pel[oa]) ([^.;!?]+)/iu;
/** Words that say that it holds as of now. */
const NOW =
  /(?<![\p{L}\p{N}])(?:now|from now on|as of|jetzt|nun|ab sofort|ahora|a partir de|maintenant|à partir de|ora|agora|теперь)(?![\p{L}\p{N}])|现在|今は/iu;
const NEGATED =
  /(?<![\p{L}\p{N}])(?:not?|never|without|avoid|stop|cannot|\p{L}+n['’]t|nicht|nie|niemals|kein\p{L}*|ohne|nunca|jamás|sin|ne|pas|jamais|sans|non|mai|senza|não|sem|не|никогда)(?![\p{L}\p{N}])|[不没沒别別勿無无]|ない|않|없/iu;
/** What binds in every case names its objects: another object is another rule. */
const IN_EVERY_CASE =
  /(?<![\p{L}\p{N}])(?:always|every|each|all|immer|jede\p{L}*|siempre|cada|toujours|chaque|sempre|ogni)(?![\p{L}\p{N}])/iu;
const FIGURE = /\p{N}/u;
const NAME = /^\p{Lu}[\p{L}\p{N}.+-]*$/u;
/** What may stand between a thing and its value. */
const BEFORE_VALUE =
  /^(?:is|are|was|be|of|by|in|on|at|to|with|over|for|called|from|after|within|until|ist|sind|heißt|auf|mit|bei|nach|binnen|von|aus|über|unter|es|son|está|están|en|con|por|tras|a|de|est|sont|sur|avec|à|par|chez|après|è|dopo|di|да)$/iu;

/** Shares of the shorter one's content words: of two that are about one thing, and where words say that it is over. */
const SHARED = 0.5, SHARED_IF_OVER = 0.4;
const LONGEST = 60;

/** What a memory does to an earlier one; undefined: both hold, as far as their words tell. */
export function rivalryOf(earlier: Said, later: Said): Rivalry | undefined {
  return rivalryByWords(earlier, later) ?? (isSaidAgainst(later, earlier) ? "rivals" : undefined);
}

function rivalryByWords(earlier: Said, later: Said): Rivalry | undefined {
  const [a, b] = [termsOf(earlier), termsOf(later)];
  const least = Math.min(a.size, b.size), most = Math.max(a.size, b.size);
  const common = a.intersection(b).size;
  if (common === 0 || common < SHARED_IF_OVER * least) return undefined;
  const [one, other] = [readingOf(earlier), readingOf(later)];
  // Of two such the later one goes on from the earlier: it says that it is over with what had come in its place.
  const isNext = one.isOver
    ? other.gone !== undefined && other.gone !== one.gone && a.has(other.gone)
    : !one.isNegated;
  if (other.isOver && isNext && (common > 1 || least < 3)) return "overtaken";
  if (common < SHARED * least) return undefined;
  if (one.isNegated !== other.isNegated) {
    const isSame = common > 1 && common >= most - 1 && one.figures === other.figures;
    return isSame ? "overtaken" : undefined;
  }
  if (one.isGeneral) return undefined;
  const values = valuesAtEnd(one.words, other.words);
  if (values === undefined) return undefined;
  if (other.isNow && !one.isNow) return "overtaken";
  const are = (kind: RegExp) => values.every(([first]) => kind.test(first!));
  if (are(FIGURE)) return "overtaken";
  return are(NAME) ? "rivals" : undefined;
}

/** Whether a memory says of itself that another has taken its place, whichever of them is later. */
export function isReplacedBy(memory: Said, other: Said): boolean {
  const [next] = contentTerms(REPLACED_BY.exec(memory.body)?.[1] ?? "");
  return next !== undefined && memory !== other && termsOf(other).has(next);
}

/** Whether a text denies or forbids something, in any of the languages. */
export function isNegated(text: string): boolean {
  return NEGATED.test(text);
}

/** A memory, and a later one that says otherwise. */
export interface Contradiction<M> {
  readonly older: M;
  readonly later: M;
  readonly kind: Rivalry;
}

/** A word in more memories tells none of them apart. */
const COMMON = 20;

/** Of some memories each that a later one contradicts, with one such; `mayBe` says which pairs are compared at all. */
export function contradictionsIn<M extends Said>(
  memories: readonly M[],
  mayBe: (older: M, later: M) => boolean,
): Contradiction<M>[] {
  const having = new Map<string, M[]>();
  for (const memory of memories) {
    for (const term of [...termsOf(memory), ...memory.tags ?? []]) {
      const others = having.get(term);
      if (others === undefined) having.set(term, [memory]);
      else others.push(memory);
    }
  }
  return memories.flatMap((older): Contradiction<M>[] => {
    const size = termsOf(older).size;
    const shared = new Map<M, number>();
    for (const term of termsOf(older)) {
      const near = having.get(term)!;
      if (near.length > COMMON) continue;
      for (const other of near) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    for (const later of having.get(contradicting(older.path ?? "")) ?? []) {
      shared.set(later, size); // whatever words they share
    }
    const found = [...shared].flatMap(([later, common]): Contradiction<M>[] => {
      const isNear = common >= SHARED_IF_OVER / 2 * Math.min(size, termsOf(later).size);
      const kind = later !== older && isNear && mayBe(older, later)
        ? rivalryOf(older, later)
        : undefined;
      return kind === undefined ? [] : [{ older, later, kind }];
    });
    const first = found.find(({ kind }) => kind === "overtaken") ?? found[0];
    return first === undefined ? [] : [first];
  });
}

/** What is compared of a memory. */
interface Reading {
  readonly words: readonly string[];
  readonly figures: string;
  readonly isOver: boolean;
  /** The first word behind those: "yarn" of "instead of yarn". */
  readonly gone: string | undefined;
  readonly isNow: boolean;
  readonly isNegated: boolean;
  readonly isGeneral: boolean;
}

const readings = new WeakMap<Said, Reading>();

function readingOf(memory: Said): Reading {
  const known = readings.get(memory);
  if (known !== undefined) return known;
  const text = ruleOf(memory);
  const words = text.match(WORD)?.slice(0, LONGEST) ?? [];
  const over = OVER.exec(text);
  const reading = {
    words,
    figures: words.filter((word) => FIGURE.test(word)).join(" "),
    isOver: over !== null,
    gone: over === null
      ? undefined
      : contentTerms(text.slice(over.index + over[0].length)).values().next().value,
    isNow: NOW.test(text),
    isNegated: isNegated(text),
    isGeneral: IN_EVERY_CASE.test(text),
  };
  readings.set(memory, reading);
  return reading;
}

const terms = new WeakMap<Said, ReadonlySet<string>>();

/** The content words of a memory's statement, without days and figures: they say when and how much, not what of. */
function termsOf(memory: Said): ReadonlySet<string> {
  let found = terms.get(memory);
  if (found === undefined) {
    const all = contentTerms(ruleOf(memory).replace(DAY, " "));
    terms.set(memory, found = new Set([...all].filter((term) => !/^\p{N}+$/u.test(term))));
  }
  return found;
}

const HEADING = /^#+ ([^\n]*)\n\s*(?=\S)/;
const DAY =
  /(?:(?<![\p{L}\p{N}])(?:since|from|until|on|by|seit|ab|bis|am|desde|hasta|depuis|dal|até) )?(?<!\p{N})\d{4}-\d\d(?:-\d\d)?(?!\p{N})/giu;
const WORD = /[\p{L}\p{N}][^\s,;:()"“”]*(?<![.!?])/gu;

/** The statement of a memory: its first sentence, with the heading that it stands under. */
function ruleOf({ name, body }: Said): string {
  const [first = ""] = body.trim().replace(HEADING, "$1: ").split(/\n|(?<=[.!?。])\s/u, 1);
  return first === "" ? name : first;
}

/**
 * What two statements with the same beginning end in, from where they first differ, if that is the place of a value. What
 * goes on in the same words behind it is said of the first value and of the second: "client 1 likes red".
 */
function valuesAtEnd(
  one: readonly string[],
  other: readonly string[],
): readonly [readonly string[], readonly string[]] | undefined {
  const isSame = (a: string | undefined, b: string | undefined) =>
    a?.toLowerCase() === b?.toLowerCase();
  let at = 0;
  while (at < one.length && at < other.length && isSame(one[at], other[at])) at++;
  const [values, others] = [one.slice(at), other.slice(at)];
  if (values.length === 0 || others.length === 0 || values.length > MOST_OF_VALUE) return undefined;
  let after = 0;
  while (after < values.length && isSame(values.at(-1 - after), others.at(-1 - after))) after++;
  const isFigure = FIGURE.test(values[0]!), isBehind = BEFORE_VALUE.test(one[at - 1] ?? "");
  const hasSubject = contentTerms(one.slice(0, at).join(" ")).size > 0;
  // "After 30 minutes of idling": the rest is the figure's, and not said of "client 1".
  const isOne = after < 2 || (isFigure && isBehind && after === values.length - 1);
  return (isFigure || isBehind) && hasSubject && isOne ? [values, others] : undefined;
}

/** A value is a few words, with what follows it. */
const MOST_OF_VALUE = 6;
