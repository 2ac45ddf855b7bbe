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
 * is redacting once.
 */
export async function redact(text: string): Promise<Redacted> {
  const found: Record<string, number> = {};
  const count = (kind: string) => found[kind] = (found[kind] ?? 0) + 1;
  for (let round = 0; round < ROUNDS; round++) {
    const secrets = [...await knownSecrets(text), ...ownSecrets(text)];
    const spans = merge([...privateSpans(text), ...secrets, ...everywhere(text, secrets)]);
    if (spans.length === 0) break;
    for (const { kind } of spans) count(kind);
    text = replaceSpans(text, spans);
  }
  return { text, found };
}

/** How many secrets were found in all. */
export function countOf(redacted: readonly Redacted[]): number {
  return redacted.flatMap(({ found }) => Object.values(found)).reduce((a, b) => a + b, 0);
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
  return SECRET_PATTERNS.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map((match) => {
      const secret = match.groups?.["secret"] ?? match[0];
      const start = match.index + match[0].lastIndexOf(secret);
      return { kind, start, end: start + secret.length };
    })
  );
}

/** Every other place of secrets that are long enough to be nothing else. */
function everywhere(text: string, secrets: readonly Span[]): Span[] {
  const kinds = new Map(secrets.map(({ kind, start, end }) => [text.slice(start, end), kind]));
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
