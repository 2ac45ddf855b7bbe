// How far a rule has climbed because it was broken: state, in lines that are appended. A rule that is worded anew begins
// at the bottom.

import { appendLine, readLines } from "../files/jsonl.ts";

/** Where a rule reaches the model, from its title on: each rung also has those below. */
export const RUNGS = ["title", "prompt", "moment", "guard"] as const;
export type Rung = typeof RUNGS[number];

/** What each rung adds, as `memo log` and `memo stats` say it. */
export const SAYS_RUNG: Readonly<Record<Rung, string>> = {
  title: "by its title",
  prompt: "with prompts that it barely fits",
  moment: "at the command or file",
  guard: "offered as a guard",
};

/** The rung of a rule with a certain content. */
export interface RungLine {
  readonly path: string;
  /** `keyOf` the memory. */
  readonly key: string;
  readonly rung: Rung;
  /** ISO 8601: verdicts before this have had their effect. */
  readonly at: string;
}

/** The rung of every rule that has one, by path. */
export function readRungs(file: string): Map<string, RungLine> {
  return new Map(readLines(file).filter(isRungLine).map((line) => [line.path, line]));
}

/** Paths of the rules that come with more prompts than they fit. */
export function climbedRules(file: string): ReadonlySet<string> {
  const climbed = [...readRungs(file).values()].filter((line) => hasReached(line, "prompt"));
  return new Set(climbed.map(({ path }) => path));
}

/** Records the rung of a rule. */
export function noteRung(file: string, line: RungLine): void {
  appendLine(file, line, Infinity);
}

/** The rung of a rule with a content; a content without one is at the bottom. */
export function rungOf(
  rungs: ReadonlyMap<string, RungLine>,
  { path, key }: { readonly path: string; readonly key: string },
): RungLine {
  const line = rungs.get(path);
  return line?.key === key ? line : { path, key, rung: "title", at: "" };
}

/** Whether a rule has climbed at least to a rung. */
export function hasReached({ rung }: Pick<RungLine, "rung">, wanted: Rung): boolean {
  return RUNGS.indexOf(rung) >= RUNGS.indexOf(wanted);
}

function isRungLine(line: unknown): line is RungLine {
  const { path, key, rung, at } = (line ?? {}) as Partial<RungLine>;
  return [path, key, at].every((field) => typeof field === "string") &&
    RUNGS.some((known) => known === rung);
}
