// Secrets recognized by the call or the sentence around them: `btoa("a:X")`, "melde dich mit root / X an". To add a
// form, add a row to `frames.tsv`.

import { once } from "../text/remembered.ts";
import { lowerCase, matchAt, MultiSearch, rowsOf, type SecretSpan } from "./spans.ts";
import table from "./frames.tsv" with { type: "text" };
import {
  CLAUSE_END,
  FRAME_END,
  isLikelySecret,
  isNumberedName,
  isOdd,
  isPhrase,
  isScrambled,
  SURE,
} from "./likely.ts";
import { SECRET_WORDS } from "./words.ts";

/** Words for a password as prose has them. */
const PASSWORDS = SECRET_WORDS.filter(({ isPassword }) => isPassword).map(({ word }) => word)
  .filter((word) => !/[_.]/.test(word));

/** What the patterns below are made of. */
const PARTS: Readonly<Record<string, string>> = {
  /** The secret, as one word. */
  value: String.raw`["'\x60“„«‘(]{0,2}(?<secret>[^\s"'\x60“”„«»‘]{4,100})`,
  /** The secret, as one or more words. */
  words: String
    .raw`["'\x60“„«‘]?(?<secret>[^\s"'\x60“”„«»‘]{3,60}(?: [\p{L}\d]{2,20}){0,7}?)["'\x60”“»’]?`,
  quoted: String.raw`["'](?<secret>[^"'\n]{1,200})["']`,
  user: String.raw`["'\x60“„«‘]?[\p{L}\d][\w.@-]{1,40}["'\x60”“»’]?`,
  /** Between a user's name and the password. */
  and: String
    .raw`(?: ?[/|:] ?|,? (?:and|with|using|und|mit|y|con|et|avec|e|com) |, )(?:(?:the|la|el|das|dem|le|o|a) )?(?:(?<named>{word}):? )?`,
  /** The same with the word for a password. */
  andWord: String
    .raw`(?:,| /|,? (?:and|with|und|mit|y|con|et|avec|e|com)) (?:(?:the|la|el|das|dem|le|o|a) )?(?<named>{word}):? `,
  /** An argument of a call, and the comma after it. */
  arg: String.raw`\s{0,8}(?:["'][^"'\n]{1,200}["']|[^"'\n,()]{1,60}),\s{0,8}`,
  gap: String.raw`(?:[ -][\p{L}'’]{1,20}){0,5}?`,
  word: `(?:${PASSWORDS.join("|")})`,
  /** The end of a clause, or what a password is for. */
  end: String
    .raw`(?=[.,;:!?)\]]|\s*$|\s*\n| (?:for|in|on|to|until|para|en|für|beim|pour|dans|sur) )`,
};

/**
 * By their beginnings, in lower case, before which no letter or digit comes, what follows, with the secret as the group
 * `secret`. What a call has is the secret unless it is a placeholder; in a sentence a word of letters alone is it only
 * beside a word for it. Where the rest says little, the secret must be random.
 */
const FORMS = new MultiSearch(
  rowsOf(table).flatMap(([kind = "", cues = "", rest = ""]) => {
    const form = { pattern: once(() => new RegExp(filled(rest), "iuy")), kind };
    return cues.split(", ").map((cue) => [cue, form] as const);
  }),
);

/** A pattern with its parts in place of their names. */
function filled(rest: string): string {
  return rest.replace(
    /\{([a-z]+)\}/gi,
    (name, part) => part in PARTS ? filled(PARTS[part]!) : name,
  );
}

/** Every secret in a text that a call or a sentence gives away. */
export function framedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { at, needle, value: { pattern, kind } } of FORMS.in(lowerCase(text))) {
    if (/[\p{L}\d]/u.test(text[at - 1] ?? " ")) continue;
    const match = matchAt(pattern(), text, at + needle.length);
    if (match === undefined) continue;
    const { secret = "", named } = match.groups!;
    const start = match.index + match[0].lastIndexOf(secret);
    const isCall = kind === "call";
    const value = isCall ? secret : secret.replace(FRAME_END, "");
    const isSecret = isCall ? isLikelySecret(value, SURE) : isStatedSecret(value, {
      isNamed: named !== undefined,
      isQuoted: /["'`“„«‘]/.test(text[start - 1]!),
      endsClause: CLAUSE_END.test(text.slice(start + value.length, start + value.length + 20)),
      isEnclosed: pattern().lastIndex > start + secret.length + 1,
    });
    if (isSecret && (kind !== "random" || isScrambled(value) && !isNumberedName(value))) {
      spans.push({ kind: "assigned", start, end: start + value.length });
    }
  }
  return spans;
}

function isStatedSecret(
  value: string,
  { isNamed, isQuoted, endsClause, isEnclosed }: {
    /** Whether a word for a password stands in the sentence. */
    readonly isNamed: boolean;
    readonly isQuoted: boolean;
    readonly endsClause: boolean;
    /** Whether the form goes on behind the value. */
    readonly isEnclosed: boolean;
  },
): boolean {
  if (/\s/.test(value)) return isPhrase(value);
  const isStrange = isOdd(value);
  return (isNamed || isQuoted || isStrange) && isLikelySecret(value, {
    isPassword: true,
    isQuoted,
    endsClause: endsClause || isEnclosed && isStrange,
  });
}
