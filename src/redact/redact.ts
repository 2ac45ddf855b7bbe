// Nothing leaves the machine before it has been through here.

import { SECRET_PATTERNS } from "./secrets.ts";

/** A text that may leave the machine, and what was taken out of it. */
export interface Redacted {
  readonly text: string;
  /** How many secrets were replaced, by kind. */
  readonly found: Readonly<Record<string, number>>;
}

interface Span {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** The rule set lets a comment in the text switch it off; a text has no say in that here. */
const SWITCHED_BY_TEXT = /filter-comments$/;
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
      const spans = [...await knownSecrets(text), ...ownSecrets(text), ...usersSecrets(text, own)];
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
 * A text without what tells by its surroundings that it must go, a `<private>` and its end or the name before a password. For
 * texts that are cut before `redact` sees them: what gives it away may be cut off.
 */
export function redactSurrounded(text: string): string {
  return replaceSpans(text, merge([...privateSpans(text), ...ownSecrets(text)]));
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

async function knownSecrets(text: string): Promise<Span[]> {
  const { lintSource } = await import("@secretlint/core");
  const { rules } = await import("@secretlint/secretlint-rule-preset-recommend");
  const content = text.replace(/^\ufeff/, " "); // places would be counted without it
  const { messages } = await lintSource({
    source: { filePath: "prompt.txt", ext: ".txt", contentType: "text", content },
    options: {
      noPhysicFilePath: true,
      config: {
        rules: rules.filter((rule) => !SWITCHED_BY_TEXT.test(rule.meta.id)).map((rule) => ({
          id: rule.meta.id,
          rule,
          options: { enableIDScanRule: true },
        })),
      },
    },
  });
  return messages.flatMap(({ ruleId, range, data }) => {
    const kind = ruleId.replace(/^.*secretlint-rule-/, "");
    const [start, end] = [range[0]!, range[1]!];
    // Some rules give the place of the name before the secret and the length of the secret.
    const values = Object.values((data ?? {}) as Record<string, unknown>)
      .filter((value) => typeof value === "string")
      .map((value) => ({ kind, start: content.indexOf(value, start), length: value.length }))
      .filter((value) => value.start >= start && value.start <= end)
      .map(({ kind, start, length }) => ({ kind, start, end: start + length }));
    return [{ kind, start, end }, ...values];
  });
}

function ownSecrets(text: string): Span[] {
  return SECRET_PATTERNS.flatMap(({ kind, pattern }) => secretsOf(pattern, kind, text));
}

function secretsOf(pattern: RegExp, kind: string, text: string): Span[] {
  return [...text.matchAll(pattern)].map((match) => {
    const secret = match.groups?.["secret"] ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    return { kind, start, end: start + secret.length };
  });
}

/** A pattern of the user's sees a line at a time, and a long one in parts: that bounds its time. */
const LINE = /[^\n]{1,2000}/g;

function usersSecrets(text: string, own: readonly RegExp[]): Span[] {
  if (own.length === 0) return [];
  // What is redacted already is no match for any pattern.
  const rest = text.replace(/\[redacted:[\w-]+\]/g, (mark) => "\n".repeat(mark.length));
  return [...rest.matchAll(LINE)].flatMap(({ 0: line, index }) =>
    own.flatMap((pattern) => secretsOf(pattern, "own", line))
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

/** Spans in order, those that touch each other as one; an empty one is none. */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  const sorted = spans.filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end) {
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    } else merged.push(span);
  }
  return merged;
}

function replaceSpans(text: string, spans: readonly Span[]): string {
  let [result, at] = ["", 0];
  for (const { kind, start, end } of spans) {
    result += `${text.slice(at, start)}[redacted:${kind}]`;
    at = end;
  }
  return result + text.slice(at);
}
