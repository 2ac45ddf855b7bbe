// How far a rule has climbed because it was broken, and when it climbs or comes down. It is state, in lines that are
// appended; a rule that is worded anew begins at the bottom.

import { appendLine, readLines } from "../files/jsonl.ts";
import { type Rung, RUNGS } from "../memory/rung.ts";
import { type Judgement, obedienceIn } from "./verdicts.ts";

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

/** A step of a rule, and why. */
export interface RungStep {
  readonly from: Rung;
  readonly to: Rung;
  readonly because: string;
}

/** A rule climbs after as many breaches, or one that the user had to correct … */
const BREACHES = 2;
/** … and comes down when it was kept this often in a row. */
const KEPT = 5;

/** The rung of every rule that has one, by path. */
export function readRungs(file: string): Map<string, RungLine> {
  return new Map(readLines(file).filter(isRungLine).map((line) => [line.path, line]));
}

/** Paths of the rules that come with more prompts than they fit. */
export function climbedRules(file: string): ReadonlySet<string> {
  const climbed = [...readRungs(file).values()].filter((line) => hasReached(line, "prompt"));
  return new Set(climbed.map(({ path }) => path));
}

/** Whether some rule comes with what it forbids. */
export function isAtCommands(file: string): boolean {
  return [...readRungs(file).values()].some((line) => hasReached(line, "moment"));
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

/** The step that a rule takes by the verdicts since its last one; undefined: none. */
export function stepOf(
  { rung, key, at }: RungLine,
  judgements: readonly Judgement[],
  { canBeGuard }: {
    /** Its words say which command or file it forbids. */ readonly canBeGuard: boolean;
  },
): RungStep | undefined {
  const since = judgements.filter((each) => each.key === key && each.at > at);
  const { broken, corrected } = obedienceIn(since);
  const verdicts = since.flatMap(({ turns }) => turns.map(({ verdict }) => verdict));
  const inARow = verdicts.length - 1 - verdicts.findLastIndex((verdict) => verdict !== "kept");
  const place = RUNGS.indexOf(rung);
  const step = (to: Rung | undefined, because: string) =>
    to === undefined ? undefined : { from: rung, to, because: `${because}; now ${SAYS_RUNG[to]}` };
  if (place > 0 && inARow >= KEPT) return step(RUNGS[place - 1], `kept in ${inARow} turns`);
  if (corrected > 0 || broken >= BREACHES) {
    const next = RUNGS[place + 1];
    const isOpen = next === "prompt" || canBeGuard;
    return step(
      isOpen ? next : undefined,
      corrected > 0 ? "corrected again" : `broken in ${broken} turns`,
    );
  }
  return undefined;
}

function isRungLine(line: unknown): line is RungLine {
  const { path, key, rung, at } = (line ?? {}) as Partial<RungLine>;
  return [path, key, at].every((field) => typeof field === "string") &&
    RUNGS.some((known) => known === rung);
}
