// Nothing leaves the machine before it has been through here.

import { cardNumbers } from "./cards.ts";
import { commandSecrets } from "./commands.ts";
import { formSecrets } from "./forms.ts";
import { maintainedSecrets } from "./maintained.ts";
import { namedSecrets } from "./named.ts";
import { type Reading, readingsOf, unwrapped } from "./readings.ts";
import { seedPhrases } from "./seed_phrase.ts";
import { besideMarks, merge, replaceSpans, type Span, spansOf } from "./spans.ts";

/** A text that may leave the machine, and what was taken out of it. */
export interface Redacted {
  readonly text: string;
  /** How many secrets were replaced, by kind. */
  readonly found: Readonly<Record<string, number>>;
}

/** What replacing one secret brings to light, the next round finds; nothing is known to need a third. */
const ROUNDS = 8;
/** A secret at least this long is replaced wherever else it stands, too. */
const DISTINCT = 12;

/**
 * Takes secrets out of a text, each replaced by `[redacted:kind]`, and whatever stands in `<private>`. Redacting twice
 * is redacting once. `own` are the user's patterns.
 */
export async function redact(text: string, own: readonly RegExp[] = []): Promise<Redacted> {
  return (await redactAll([text], own))[0]!;
}

/** Takes secrets out of texts that belong together: what is a secret in one is taken out of the others too. */
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
    const secrets: Span[][] = [];
    const kinds = new Map<string, string>();
    for (const { text, isNew } of redacted) {
      // What has not changed since the last round has nothing that was not found then.
      if (!isNew) {
        secrets.push([]);
        continue;
      }
      const spans = besideMarks(text, [
        ...await maintainedSecrets(text),
        ...ownSecrets(text),
        ...usersSecrets(text, own),
      ]);
      for (const { kind, start, end } of spans) kinds.set(text.slice(start, end), kind);
      secrets.push(spans);
    }
    for (const [i, each] of redacted.entries()) {
      const { text, found } = each;
      const spans = merge([...privateSpans(text), ...secrets[i]!, ...everywhere(text, kinds)]);
      each.isNew = spans.length > 0;
      if (!each.isNew) continue;
      isDone = false;
      for (const { kind } of spans) found[kind] = (found[kind] ?? 0) + 1;
      each.text = replaceSpans(text, spans);
    }
  }
  return redacted.map(({ text, found }) => ({ text, found }));
}

/** How many secrets were found in all. */
export function countOf(redacted: readonly Redacted[]): number {
  return redacted.flatMap(({ found }) => Object.values(found)).reduce((a, b) => a + b, 0);
}

/**
 * A text without what memo's own rules find in it. For texts that are cut before `redact` sees them: half a
 * token, or a password without its name, is not known as one.
 */
export function redactBeforeCut(text: string): string {
  return replaceSpans(text, merge([...privateSpans(text), ...besideMarks(text, ownSecrets(text))]));
}

/** What stands between `<private>` and its end; where the end is missing, all that follows. */
function privateSpans(text: string): Span[] {
  const spans: Span[] = [];
  let [depth, start] = [0, 0];
  for (const tag of text.matchAll(/<(\/?)private\b[^<>]{0,100}>/gi)) {
    if (tag[1] === "") {
      if (depth++ === 0) start = tag.index;
    } else if (depth > 0 && --depth === 0) {
      spans.push({ kind: "private", start, end: tag.index + tag[0].length });
    }
  }
  if (depth > 0) spans.push({ kind: "private", start, end: text.length });
  return spans;
}

/** What memo's own rules find in a text as it stands. */
function plainSecrets(text: string): Span[] {
  return [...formSecrets(text), ...namedSecrets(text), ...commandSecrets(text)];
}

/** What they find in every reading of it, and what is a secret by its digits or words. */
function ownSecrets(text: string): Span[] {
  const wrapped = unwrapped(text);
  return [
    ...plainSecrets(text),
    ...cardNumbers(text),
    ...seedPhrases(text),
    ...readingsOf(text).flatMap((reading) => inOriginal(plainSecrets(reading.text), reading)),
    // Words run together in it: only what has a form of its own counts.
    ...wrapped === undefined ? [] : inOriginal(formSecrets(wrapped.text), wrapped),
  ];
}

function inOriginal(spans: readonly Span[], { originOf }: Reading): Span[] {
  return spans.map(({ kind, start, end }) => ({ kind, ...originOf(start, end) }));
}

/** A pattern of the user's sees a line at a time, and a long one in parts: that bounds its time. */
const LINE = /[^\n]{1,500}/g;

function usersSecrets(text: string, own: readonly RegExp[]): Span[] {
  if (own.length === 0) return [];
  // What is redacted already is no match for any pattern.
  const rest = text.replace(/\[redacted:[\w-]+\]/g, (mark) => "\n".repeat(mark.length));
  return [...rest.matchAll(LINE)].flatMap(({ 0: line, index }) =>
    own.flatMap((pattern) => spansOf(pattern, "own", line))
      .map(({ kind, start, end }) => ({ kind, start: index + start, end: index + end }))
  );
}

/** Every other place of secrets that are long enough to be nothing else. */
function everywhere(text: string, kinds: ReadonlyMap<string, string>): Span[] {
  const spans: Span[] = [];
  for (const [secret, kind] of kinds) {
    if (secret.length < DISTINCT) continue;
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
      spans.push({ kind, start: at, end: at + secret.length });
    }
  }
  return spans;
}
