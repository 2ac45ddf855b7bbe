// What there is of redaction without its rules, which load slowly: the other doors, `redact.ts` and `texts.ts`, load
// them.

import { MemoError, messageOf } from "../../errors.ts";

/**
 * The user's own patterns for text that must not leave the machine, from the setting `redact.patterns`, one regular
 * expression per line; throws a `usage` MemoError for an invalid or slow one.
 */
export function ownPatterns(setting: string): RegExp[] {
  return setting.split("\n").map((line) => line.trim()).filter((line) => line !== "").map(compile);
}

function compile(source: string): RegExp {
  const refuse = (why: string) =>
    new MemoError("usage", `Cannot use the pattern \`${source}\`: ${why}`, {
      hint: "Run `memo config set redact.patterns PATTERN`, with one regular expression per line",
    });
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, "gu");
  } catch (error) {
    throw refuse(messageOf(error));
  }
  if (pattern.test("")) throw refuse("it matches an empty string");
  const why = slowBecause(source);
  if (why !== undefined) throw refuse(why);
  return pattern;
}

/** Maximum endless repetitions: their time is at worst the cube of a line's length, and lines are matched in parts. */
const MOST_ENDLESS = 2;

/**
 * Why a pattern can take exponential time; undefined if it cannot. A repeated group of fixed length has only one way to
 * match, so its time does not double with every character. Stricter than necessary: it also refuses `(ab?)+c`. Packages
 * that do this were tried: recheck adds 3 MB and a second to load, redos-detector calls `[\w.]+@acme` unsafe,
 * safe-regex2 accepts `(a|a)*b`.
 */
function slowBecause(source: string): string | undefined {
  const plain = source.replace(/\[(?:\\.|[^\]\\])*\]/gsu, "x")
    .replace(/\\(?=[1-9]|k<)/gu, "|") // a back-reference is as long as its group
    .replace(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/gsu, "x")
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/gu, "(");
  const endless = plain.match(/[*+](?!\?\?)|\{\d+,\}/gu) ?? [];
  if (endless.length > MOST_ENDLESS) {
    return `it has more than ${MOST_ENDLESS} unlimited repetitions; limit them, as in \`{1,40}\``;
  }
  /** For each open group, whether its length varies. */
  const open: boolean[] = [];
  for (let i = 0; i < plain.length; i++) {
    if (plain[i] === "(") open.push(false);
    else if (plain[i] === "|" || varies(plain, i)) open.fill(true);
    else if (plain[i] === ")") {
      const isRisky = open.pop() ?? false;
      if (isRisky && /^(?:[*+]|\{\d+(?:,\d*)?\})/.test(plain.slice(i + 1))) {
        return "a repeated group with a repetition or a choice in it may never finish";
      }
    }
  }
  return undefined;
}

/** Whether the quantifier at a position allows several lengths. */
function varies(text: string, at: number): boolean {
  const [, from, , to] = /^\{(\d+)(,(\d*))?\}/.exec(text.slice(at, at + 16)) ?? [];
  if (from !== undefined) return to !== undefined && to !== from;
  return /[*+?]/.test(text[at]!);
}

/** The kinds of secrets that a text seems to hold; `own` is the setting `redact.patterns`. */
export async function secretsIn(text: string, own: string): Promise<string[]> {
  const { redact } = await import("./redact.ts");
  return Object.keys((await redact(text, ownPatterns(own))).found);
}

/** A word of prose, with the punctuation around it. */
const WORD = /^["'(¿¡]*\p{L}[\p{L}'’-]{0,23}["')]*[,.;:?!…]*$/u;
/** Words after which a secret can follow that looks like any other word. */
const CUES =
  /pass|pwd|\bpw\b|mdp|pin|secret|token|key|credential|clave|contrase|código|codigo|mot de|kennwort|schlüssel|geheim|senha|chiave|密|口令|パス|暗証|비밀/iu;

/**
 * The plain words at the beginning of a text, for a process without the time to load the redaction rules: it stops
 * before the first word that is more than letters, and returns nothing for a text that mentions secrets.
 */
export function plainWords(text: string): string {
  const words = text.trim().split(/\s+/);
  if (CUES.test(text)) return "";
  const end = words.findIndex((word) => !WORD.test(word));
  if (end < 0) return words.join(" ");
  return end === 0 ? "" : words.slice(0, end).join(" ") + " …";
}
