// Whether a later statement says of one thing what an earlier one says differently, by its words: a figure in the place of
// a figure, a `not`, or words that say so ("no longer"). A name in the place of a name may be another case of the same.

import { contentTerms, isNegated } from "../text/language/stopwords.ts";
import { remembering } from "../text/remembered.ts";
import { CUTOFFS } from "./cutoffs.ts";
import type { Text } from "./statements.ts";

/** Words that say of something else that it is over, or how it was. */
const OVER =
  /(?<![\p{L}\p{N}])(?:no longer|not? [^.;]{0,60}any ?more|(?:is|are) gone|(?:was|were) (?:dropped|removed|replaced|abandoned)|instead of|replaced|moved (?:to|from)|migrated|switched (?:to|from)|t(?:ook|aken) (?:over (?:from|for)|[^.;]{1,40} place)|(?:has|have) left|nicht mehr|kein\p{L}* [^.;]{0,40}mehr|ab jetzt|umgezogen|umgestiegen|abgeschafft|ya no|en vez de|en lugar de|(?:ne|n['’]) ?[^.;]{1,40} plus|plus de|désormais|au lieu de|non più|al posto di|não [^.;]{0,40}mais)(?![\p{L}\p{N}])|不再|改用|改为|もう[^。]{0,20}ない|больше не/iu;
/** Words that say that it holds as of now. */
const NOW =
  /(?<![\p{L}\p{N}])(?:now|from now on|as of|jetzt|nun|ab sofort|ahora|a partir de|maintenant|à partir de|ora|agora|теперь)(?![\p{L}\p{N}])|现在|今は/iu;
/** What binds in every case names its objects: another object is another rule. */
const IN_EVERY_CASE =
  /(?<![\p{L}\p{N}])(?:always|every|each|all|immer|jede\p{L}*|siempre|cada|toujours|chaque|sempre|ogni)(?![\p{L}\p{N}])/iu;
const FIGURE = /\p{N}/u;
const NAME = /^\p{Lu}[\p{L}\p{N}.+-]*$/u;
/** What may stand between a thing and its value. */
const BEFORE_VALUE =
  /^(?::|is|are|was|be|of|by|in|on|at|to|with|over|for|called|from|after|within|until|ist|sind|heißt|auf|mit|bei|nach|binnen|von|aus|über|unter|es|son|está|están|en|con|por|tras|a|de|est|sont|sur|avec|à|par|chez|après|è|dopo|di|да)$/iu;

/** Words of a statement that are compared. */
const LONGEST = 60;

/** Whether a statement says otherwise than an earlier one; else both hold, as far as their words tell. */
export function saysOtherwise(earlier: Text, later: Text): boolean {
  const [a, b] = [statementTerms(earlier), statementTerms(later)];
  const least = Math.min(a.size, b.size), most = Math.max(a.size, b.size);
  const common = a.intersection(b).size;
  if (common === 0 || common < CUTOFFS.over * least) return false;
  const [one, other] = [readingOf(earlier), readingOf(later)];
  // Of two such the later one goes on from the earlier: it says that it is over with what had come in its place.
  const isNext = one.isOver
    ? other.gone !== undefined && other.gone !== one.gone && a.has(other.gone)
    : !one.isNegated;
  if (other.isOver && isNext && (common > 1 || least < 3)) return true;
  if (common < CUTOFFS.matter * least) return false;
  if (one.isNegated !== other.isNegated) {
    return common > 1 && common >= most - 1 && one.figures === other.figures;
  }
  if (one.isGeneral) return false;
  const values = valuesIn(one.words, other.words);
  if (values === undefined) return false;
  const are = (kind: RegExp) => values.every(([first]) => kind.test(first!));
  return (other.isNow && !one.isNow) || are(FIGURE) || are(NAME);
}

const readingOf = remembering((memory: Text) => {
  const text = ruleOf(memory);
  const words = text.match(WORD)?.slice(0, LONGEST) ?? [];
  const over = OVER.exec(text);
  return {
    words,
    figures: words.filter((word) => FIGURE.test(word)).join(" "),
    isOver: over !== null,
    /** The first word behind those: "yarn" of "instead of yarn". */
    gone: over === null
      ? undefined
      : contentTerms(text.slice(over.index + over[0].length)).values().next().value,
    isNow: NOW.test(text),
    isNegated: isNegated(text),
    isGeneral: IN_EVERY_CASE.test(text),
  };
});

/** The content words of a memory's statement, without days and figures: they say when and how much, not what of. */
const statementTerms = remembering((memory: Text): ReadonlySet<string> => {
  const all = contentTerms(ruleOf(memory).replace(DAY, " "));
  return new Set([...all].filter((term) => !/^\p{N}+$/u.test(term)));
});

const HEADING = /^#+ ([^\n]*)\n\s*(?=\S)/;
const DAY =
  /(?:(?<![\p{L}\p{N}])(?:since|from|until|on|by|seit|ab|bis|am|desde|hasta|depuis|dal|até) )?(?<!\p{N})\d{4}-\d\d(?:-\d\d)?(?!\p{N})/giu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** A word, a character of a script without spaces, or the colon before a value. */
const WORD = new RegExp(
  String.raw`${UNSPACED.source}|(?:(?!${UNSPACED.source})[\p{L}\p{N}])` +
    String.raw`(?:(?!${UNSPACED.source})[^\s,;:()"“”])*(?<![.!?])|:(?=\s)`,
  "gu",
);

/** The statement of a memory: its first sentence, with the heading that it stands under. */
function ruleOf({ name, body }: Text): string {
  const [first = ""] = body.trim().replace(HEADING, "$1: ").split(/\n|(?<=[.!?。])\s/u, 1);
  return first === "" ? name : first;
}

/**
 * What two statements differ in, if that is one place, and the place of a value: behind a word such as "is", or a bare figure.
 * "Tenant 7 pays with Stripe" and "Tenant 9 pays with Adyen" differ in two, and so are about two things.
 */
function valuesIn(
  one: readonly string[],
  other: readonly string[],
): readonly [readonly string[], readonly string[]] | undefined {
  const { at, mine, theirs, after } = differenceOf(one, other);
  if (mine.length === 0 || theirs.length === 0 || mine.length > MOST_OF_VALUE) return undefined;
  const isOnePlace = !mine.some((word) => theirs.some((other) => isSame(word, other)));
  if (!isOnePlace || contentTerms(one.slice(0, at).join(" ")).size === 0) return undefined;
  const areBare = mine.length === 1 && theirs.length === 1 &&
    FIGURE.test(mine[0]![0]!) && FIGURE.test(theirs[0]![0]!);
  const isBehind = BEFORE_VALUE.test(one[at - 1]!);
  // "After 30 minutes of idling": what goes on in the same words is the figure's, and not said of "client 1".
  const isAll = after < 2 || (isBehind && areBare);
  return (isBehind || areBare) && isAll ? [mine, theirs] : undefined;
}

/** Where two statements begin to differ, what each has there, and how many words both have behind it. */
function differenceOf(one: readonly string[], other: readonly string[]) {
  const at = beginningOf(one, other);
  const [mine, theirs] = [one.slice(at), other.slice(at)];
  const after = beginningOf(mine.toReversed(), theirs.toReversed());
  const upTo = (words: readonly string[]) => words.slice(0, words.length - after);
  return { at, after, mine: upTo(mine), theirs: upTo(theirs) };
}

/** How many words two statements have in common at their beginning. */
function beginningOf(one: readonly string[], other: readonly string[]): number {
  let at = 0;
  while (at < one.length && at < other.length && isSame(one[at], other[at])) at++;
  return at;
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a?.toLowerCase() === b?.toLowerCase();
}

/** A value is a few words, with what follows it. */
const MOST_OF_VALUE = 6;
