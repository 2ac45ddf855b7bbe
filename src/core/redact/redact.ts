// Every text passes through here before it leaves the machine. Redaction is closed: a new form of a secret is a row of
// one of its tables, with a line in test/fixtures/redact/everyday.tsv, and changes no function.

import { checkedNumbers } from "./check_digits.ts";
import { commandSecrets } from "./commands.ts";
import { privateSpans, withoutPrivate } from "../text/paste.ts";
import { framedSecrets } from "./frames.ts";
import { formSecrets } from "./forms.ts";
import { maintainedSecrets } from "./maintained.ts";
import { namedSecrets } from "./named.ts";
import { readingsOf, type TextReading, unwrapped } from "./readings.ts";
import { seedPhrases } from "./seed_phrase.ts";
import { besideMarks, MARK, merge, replaceSpans, type SecretSpan, spansOf } from "./spans.ts";
import { fold } from "../text/analyze.ts";
import { isStopword } from "../text/language/stopwords.ts";
import { once } from "../text/remembered.ts";
import { IS, isUnspaced, SECRET_WORDS } from "./words.ts";

/** A text that may leave the machine, with counts of the removed secrets. */
export interface Redacted {
  readonly text: string;
  readonly found: Readonly<Record<string, number>>;
}

/** Each round finds secrets that the replacements of the one before revealed; no known text needs a third. */
const ROUNDS = 8;
/** A secret of at least this length is replaced at all its occurrences. */
const DISTINCT = 12;

/** Replaces each secret with `[redacted:kind]`, and removes all in `<private>`; idempotent. `own` are the user's patterns. */
export async function redact(text: string, own: readonly RegExp[] = []): Promise<Redacted> {
  return (await redactAll([text], own))[0]!;
}

/** Redacts texts that belong together: a secret found in one is removed from the others too. */
export async function redactAll(
  texts: readonly string[],
  own: readonly RegExp[] = [],
): Promise<Redacted[]> {
  const redacted = texts.map((text) => ({
    text,
    found: {} as Record<string, number>,
    isNew: true,
  }));
  for (let round = 0, isDone = false; round < ROUNDS && !isDone; round++) {
    isDone = true;
    const secrets: SecretSpan[][] = [];
    const kinds = new Map<string, string>();
    for (const { text, isNew } of redacted) {
      // A text unchanged since the last round has nothing new to find.
      const spans = !isNew ? [] : besideMarks(text, [
        ...await maintainedSecrets(text),
        ...ownSecrets(text),
        ...usersSecrets(text, own),
      ]);
      for (const { kind, start, end } of spans) kinds.set(text.slice(start, end), kind);
      secrets.push(spans);
    }
    for (const [i, each] of redacted.entries()) {
      const { text, found } = each;
      const spans = merge([
        ...privateIn(text),
        ...secrets[i]!,
        ...everywhere(text, kinds, secrets[i]!),
      ]);
      each.isNew = spans.length > 0;
      if (!each.isNew) continue;
      isDone = false;
      for (const { kind } of spans) found[kind] = (found[kind] ?? 0) + 1;
      each.text = replaceSpans(text, spans);
    }
  }
  return redacted.map(({ text, found }) => ({ text, found }));
}

/** What was found in several texts, by kind. */
export function sumOf(redacted: readonly Pick<Redacted, "found">[]): Redacted["found"] {
  const sum: Record<string, number> = {};
  for (const [kind, count] of redacted.flatMap(({ found }) => Object.entries(found))) {
    sum[kind] = (sum[kind] ?? 0) + count;
  }
  return sum;
}

/** The total number of secrets found. */
export function countOf(redacted: readonly Pick<Redacted, "found">[]): number {
  return Object.values(sumOf(redacted)).reduce((a, b) => a + b, 0);
}

/**
 * A text redacted with memo's own rules only. For texts that are cut before `redact` sees them: half a token, or a
 * password without its name, is not recognized.
 */
export function redactBeforeCut(text: string): string {
  return replaceSpans(text, foundBeforeCut(text));
}

/** A text longer than it may be, looked at this far beyond the cut: longer than a secret that the cut would split. */
const BEYOND_CUT = 4096;

/** The beginning of a text without its secrets, for a question that is put together from several texts. */
export function beginningOf(text: string, chars: number): string {
  const looked = text.length <= chars ? withoutPrivate(text) : redactBeforeCut(
    text.slice(0, chars + BEYOND_CUT),
  );
  return looked.slice(0, chars).toWellFormed();
}

/** The same with blanks in place of the secrets: every other character keeps its position. */
export function blankBeforeCut(text: string): string {
  return foundBeforeCut(text).reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end),
    text,
  );
}

function foundBeforeCut(text: string): SecretSpan[] {
  return merge([...privateIn(text), ...besideMarks(text, ownSecrets(text))]);
}

function privateIn(text: string): SecretSpan[] {
  return privateSpans(text).map((span) => ({ kind: "private", ...span }));
}

/** Secrets that memo's own rules find in a text as it is. */
function plainSecrets(text: string): SecretSpan[] {
  return [
    ...formSecrets(text),
    ...namedSecrets(text),
    ...framedSecrets(text),
    ...commandSecrets(text),
  ];
}

/** The same in every reading of it, and secrets recognized by their digits or words. */
function ownSecrets(text: string): SecretSpan[] {
  const wrapped = unwrapped(text);
  return [
    ...plainSecrets(text),
    ...checkedNumbers(text),
    ...seedPhrases(text),
    ...readingsOf(text).flatMap((reading) => inOriginal(plainSecrets(reading.text), reading)),
    // Words run together in it: only secrets with a form of their own count.
    ...wrapped === undefined ? [] : inOriginal(formSecrets(wrapped.text), wrapped),
  ];
}

function inOriginal(spans: readonly SecretSpan[], { originOf }: TextReading): SecretSpan[] {
  return spans.map(({ kind, start, end }) => ({ kind, ...originOf(start, end) }));
}

/** A user's pattern is matched line by line, and in parts of a long line, to bound its time. */
const LINE = /[^\n]{1,500}/g;

function usersSecrets(text: string, own: readonly RegExp[]): SecretSpan[] {
  if (own.length === 0) return [];
  // Redacted parts must not match any pattern.
  const rest = text.replace(MARK, (mark) => "\n".repeat(mark.length));
  return [...rest.matchAll(LINE)].flatMap(({ 0: line, index }) =>
    own.flatMap((pattern) => spansOf(pattern, "own", line))
      .map(({ kind, start, end }) => ({ kind, start: index + start, end: index + end }))
  );
}

/** All other occurrences of secrets that are long enough to be unambiguous, in a text where `found` are. */
function everywhere(
  text: string,
  kinds: ReadonlyMap<string, string>,
  found: readonly SecretSpan[],
): SecretSpan[] {
  const long = [...kinds].filter(([secret]) => secret.length >= DISTINCT);
  const beginnings = Map.groupBy(long, ([secret]) => secret.slice(0, DISTINCT));
  const known = new Set(found.map(({ start }) => start));
  const spans: SecretSpan[] = [];
  // One walk through the text tells which of many secrets are worth a search.
  for (let i = 0; i < text.length && beginnings.size > 0; i++) {
    const beginning = text.slice(i, i + DISTINCT);
    const likely = known.has(i) ? undefined : beginnings.get(beginning);
    if (likely === undefined) continue;
    beginnings.delete(beginning);
    for (const [secret, kind] of likely) {
      for (let at = i; (at = text.indexOf(secret, at)) >= 0; at += secret.length) {
        spans.push({ kind, start: at, end: at + secret.length });
      }
    }
  }
  return spans;
}

/** Words that announce a secret, or stand between them and it; made when needed, since the engine reads it for long. */
const announcing = once(() => {
  const words = [...SECRET_WORDS.map(({ word }) => word), ...IS]
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const { unspaced = [], spaced = [] } = Object.groupBy(
    words,
    (word) => isUnspaced(word) ? "unspaced" : "spaced",
  );
  const alone = String.raw`(?<![\p{L}\p{M}\p{N}])(?:${spaced.join("|")})(?![\p{L}\p{M}\p{N}])`;
  return new RegExp([alone, ...unspaced].join("|"), "giu");
});

/**
 * Whether nothing is left of a text but the marks of what was taken out of it, and words that announce secrets:
 * "the password is [redacted:assigned]" says no more than its mark.
 */
export function isAllRedacted(text: string): boolean {
  const rest = text.replace(MARK, " ");
  if (rest === text) return false;
  const words = rest.replace(announcing(), " ").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.every((word) => isStopword(fold(word)));
}
