// How far a rule has escalated because it was broken: state, in lines that are appended. A rule that is worded anew begins
// at the bottom.

import { appendLine, keepNewest, readLines } from "../files/jsonl.ts";

/** Where a rule reaches the model, from its title on: each level also has those below. */
export const LEVELS = ["title", "prompt", "moment", "guard"] as const;
export type EscalationLevel = typeof LEVELS[number];

/** What each level adds, as `memo log` and `memo stats` say it. */
export const SAYS_LEVEL: Readonly<Record<EscalationLevel, string>> = {
  title: "by its title",
  prompt: "with prompts that it barely fits",
  moment: "at the command or file",
  guard: "offered as a guard",
};

/** The level of a rule with a certain content. */
export interface EscalationLine {
  readonly path: string;
  /** `keyOf` the memory. */
  readonly key: string;
  readonly rung: EscalationLevel;
  /** ISO 8601: verdicts before this have had their effect. */
  readonly at: string;
}

/** The level of every rule that has one, by path. */
export function readLevels(file: string): Map<string, EscalationLine> {
  return new Map(readLines(file).filter(isEscalationLine).map((line) => [line.path, line]));
}

/** Paths of the rules that come with more prompts than they fit. */
export function escalatedRules(file: string): ReadonlySet<string> {
  const escalated = [...readLevels(file).values()].filter((line) => hasReached(line, "prompt"));
  return new Set(escalated.map(({ path }) => path));
}

/** Of a longer file the last line of each rule stays, and the newest of these. */
const MAX_BYTES = 512 * 1024;

/** Records the level of a rule. */
export function noteLevel(file: string, line: EscalationLine): void {
  appendLine(file, line, Infinity);
  keepNewest(file, (text) => /"path":"(?:[^"\\]|\\.)*"/.exec(text)?.[0] ?? "", MAX_BYTES);
}

/** The level of a rule with a content; a content without one is at the bottom. */
export function levelOf(
  levels: ReadonlyMap<string, EscalationLine>,
  { path, key }: { readonly path: string; readonly key: string },
): EscalationLine {
  const line = levels.get(path);
  return line?.key === key ? line : { path, key, rung: "title", at: "" };
}

/** Whether a rule has escalated at least to a level. */
export function hasReached(
  { rung }: Pick<EscalationLine, "rung">,
  wanted: EscalationLevel,
): boolean {
  return LEVELS.indexOf(rung) >= LEVELS.indexOf(wanted);
}

function isEscalationLine(line: unknown): line is EscalationLine {
  const { path, key, rung, at } = (line ?? {}) as Partial<EscalationLine>;
  return [path, key, at].every((field) => typeof field === "string") &&
    LEVELS.some((known) => known === rung);
}
