// The folders in which the person has switched memo off, by the setting `off`. The hook asks this before anything else, and
// then nobody hears of the folder. So it reads the setting by itself: a parser of YAML takes longer than all of a hook.

import { MemoError } from "../../errors.ts";
import type { Paths } from "../../paths.ts";
import { readRegular } from "./bounded.ts";
import { nearestThere, realPathOf } from "./real_path.ts";
import { orNothing, whileUnchanged } from "./there.ts";
import { withSlashes } from "./slashes.ts";

/** Where the setting is: the person's own `config.yaml`, never a repository's. */
export type OffSource = Pick<Paths, "home"> & { readonly config?: string | undefined };

/** The pattern that switches memo off in one of some folders, links followed; undefined where it works. */
export function offIn(folders: readonly string[], { config, home }: OffSource): string | undefined {
  const patterns = config === undefined ? [] : patternsIn(config);
  if (patterns.length === 0) return undefined;
  const all = [...new Set(folders.flatMap((folder) => [folder, resolved(folder)]))].map(
    withSlashes,
  );
  return patterns.find((pattern) => {
    const tests = [testOf(pattern, home, String), testOf(pattern, home, resolved)];
    return all.some((folder) => tests.some((test) => test.test(folder)));
  });
}

/** Whether there is any folder in which memo is off. */
export function hasOff({ config }: OffSource): boolean {
  return config !== undefined && patternsIn(config).length > 0;
}

/** That memo is off, and which setting does it, in one line. */
export function sayOff(pattern: string): string {
  return `memo is off in this folder: the setting \`off\` has \`${pattern}\`; change it with \`memo config set off\``;
}

/** The patterns in the value of the setting, as YAML has it: with commas between them, or as a list. */
export function offPatterns(value: string): string[] {
  const list = value.trim().replace(/^\[([^]*)\]$/, "$1").replace(/\\\r?\n[ \t]*/g, "");
  return [...list.matchAll(WORDS)].filter(([word]) => !word.startsWith("#"))
    .flatMap(([word, double, single]) =>
      (double ?? single?.replaceAll("''", "'") ?? word).split(",")
    ).map((word) => word.trim().replace(/\\+/g, "/")).filter((word) => !/^[-#|>]|^$/.test(word));
}

/** The mark of an item, a quoted text, a comment, or a plain text up to the next of these. */
const WORDS =
  /-(?=[ \t])|"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|(?<!\S)#.*|[^\s,"'#][^,\n]*?(?=[ \t]*(?:,|$|[ \t]#))/gm;

/** Throws for a pattern that could not match any folder. */
export function checkOff(value: string): void {
  const wrong = offPatterns(value).find((pattern) => !ROOTED.test(pattern));
  if (wrong === undefined) return;
  throw new MemoError("usage", `Cannot switch memo off in \`${wrong}\`: it is not a full path`, {
    hint: "Begin it with `/` or `~/`, such as `~/clients/**`",
  });
}

const ROOTED = /^(?:\/|~(?:\/|$)|\*\*(?:\/|$)|[a-z]:\/)/i;

/** The setting in a file of YAML: a line with what is indented below it, and blank lines and comments, or a part of a map. */
const SETTING =
  /(?:^|[{,])[\ufeff \t]*(["']?)off\1[ \t]*:(?![^\s[{"'])[ \t]*(\[(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'])*\]|[^\n]*(?:\n(?![^\s#-])[^\n]*)*)/gm;

/** Maximum bytes of a file of settings; nothing is read of a pipe in its place. */
const MAX_BYTES = 1024 * 1024;

const patternsIn = whileUnchanged((path: string): string[] =>
  [...(orNothing(() => readRegular(path, MAX_BYTES).toString()) ?? "").matchAll(SETTING)].flatMap((
    [, , value = ""],
  ) => offPatterns(value))
    .filter((pattern) => ROOTED.test(pattern))
);

/** A pattern that begins with a folder that does not exist, as a misspelled one does. */
export function missingIn(value: string, home: string): string | undefined {
  return offPatterns(value).find((pattern) => {
    const { fixed } = partsOf(pattern, home);
    return fixed !== "" && nearestThere(fixed) !== fixed;
  });
}

/** A pattern with the home folder in it, and what of it stands before any wildcard. */
function partsOf(pattern: string, home: string) {
  const whole = pattern.replace(/^~(?=\/|$)/, withSlashes(home));
  return { whole, fixed: /^[^*?]*(?=\/|$)/.exec(whole)?.[0] ?? "" };
}

/** Whether a folder is one that a pattern names, or below one. */
function testOf(pattern: string, home: string, follow: (path: string) => string): RegExp {
  const { whole, fixed } = partsOf(pattern, home);
  const path = withSlashes(fixed && follow(fixed)) + whole.slice(fixed.length);
  const source = path.replace(/(?:^|\/)\*\*$|\/+$/, "").split(/(\*\*\/|\*\*|\*|\?)/).map((part) =>
    GLOBS[part] ?? RegExp.escape(part)
  ).join("");
  // Where case does not count, none of its spellings escapes.
  return new RegExp(`^${source}(?:/|$)`, process.platform === "linux" ? "" : "i");
}

const GLOBS: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};

/** A path with its links followed, as far as it exists. */
export function resolved(path: string): string {
  const there = nearestThere(path);
  return realPathOf(there) + path.slice(there.length);
}
