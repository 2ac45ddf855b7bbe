// The user's own patterns of what must not leave the machine: the setting `redact.patterns`, one regular expression a line.

import { MemoError, messageOf } from "../errors.ts";

/** The patterns of the setting; throws a `usage` MemoError for one that cannot be used. */
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
  if (pattern.test("")) throw refuse("it matches the empty text");
  if (repeatsItself(source)) {
    throw refuse("a repeated group with a repetition or a choice in it may take for ever");
  }
  return pattern;
}

/**
 * Whether a repeated group has a repetition without end or a choice in it, such as `(a+)+` and `(a|a)*`: on a text that
 * nearly fits, the time for those doubles with every character, and nothing can stop a regular expression halfway.
 */
function repeatsItself(source: string): boolean {
  const plain = source.replace(/\\./gsu, "x").replace(/\[[^\]]*\]/gu, "x");
  /** For each open group whether it has one in it. */
  const open: boolean[] = [];
  for (let i = 0; i < plain.length; i++) {
    if (plain[i] === "(") open.push(false);
    else if (plain[i] === "|" || isEndless(plain, i)) open.fill(true);
    else if (plain[i] === ")") {
      const isRisky = open.pop() ?? false;
      if (isRisky && /^(?:[*+]|\{\d+(?:,\d*)?\})/.test(plain.slice(i + 1))) return true;
    }
  }
  return false;
}

function isEndless(text: string, at: number): boolean {
  return /^(?:[*+]|\{\d+,\})/.test(text.slice(at, at + 12));
}
