// Secrets recognized by their form: token prefixes of providers, armoured keys, credentials in URLs.

import { matchAt, MultiSearch, rowsOf, type SecretSpan, spansOf } from "./spans.ts";
import othersTable from "./forms.tsv" with { type: "text" };
import tokensTable from "./tokens.tsv" with { type: "text" };

/**
 * Forms with more than a prefix: kind, beginnings, source, flags, pattern. Every such secret contains one of the
 * beginnings, so most texts need not be searched; it is the group `secret`, else the whole match. Lengths are bounded, so
 * that hostile text cannot take long.
 */
const OTHERS = rowsOf(othersTable).map((
  [kind = "", starts = "", _source, flags, pattern = ""],
) => ({
  kind,
  starts: starts.split(", "),
  pattern: new RegExp(pattern, flags),
}));

/** The kinds of tokens by their prefixes, with the pattern after these. */
const PREFIXES = new MultiSearch(
  rowsOf(tokensTable).flatMap(([kind = "", starts = "", rest = ""]) => {
    const prefixes = starts.split(" ");
    // A long prefix is enough; after a short one the length must match.
    const end = prefixes.some((prefix) => prefix.length > 3) ? "" : "(?![A-Za-z0-9])";
    const form = { kind, rest: new RegExp(rest + end, "y") };
    return prefixes.map((prefix) => [prefix, form] as const);
  }),
);

/** The spans of a text that match one of these forms. */
export function formSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { at, needle, value: { kind, rest } } of PREFIXES.in(text)) {
    if (/[A-Za-z0-9]/.test(text[at - 1] ?? "")) continue;
    if (matchAt(rest, text, at + needle.length)) {
      spans.push({ kind, start: at, end: rest.lastIndex });
    }
  }
  const others = OTHERS.filter(({ starts }) => starts.some((start) => text.includes(start)));
  return [...spans, ...others.flatMap(({ kind, pattern }) => spansOf(pattern, kind, text))];
}
