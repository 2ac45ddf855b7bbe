// What became of the rules that the model was given: state, in lines that are appended after a capture. It says of a
// memory how often it was given as a rule, and in how many turns it was kept, broken, or needed another correction.

import { appendLine, readLines } from "../files/jsonl.ts";
import { byTime } from "../memory/change_log.ts";

/** What a turn did with a rule: a broken one on which the user had to insist is `corrected`. */
export const VERDICTS = ["kept", "broken", "corrected"] as const;
export type Verdict = typeof VERDICTS[number];

/** A verdict on one turn. */
export interface TurnVerdict {
  readonly turn: string;
  /** What hooks call the turn's prompt. */
  readonly prompt?: string | undefined;
  readonly verdict: Verdict;
}

/** What became of one rule in one piece of a conversation. */
export interface Judgement {
  /** The memory's path, and its content then (`keyOf`): a rule that is worded anew begins anew. */
  readonly path: string;
  readonly key: string;
  readonly session: string;
  /** When the piece's first turn began, ISO 8601; with path and session it names the judgement. */
  readonly at: string;
  /** Turns in which the model had the rule. */
  readonly given: number;
  readonly turns: readonly TurnVerdict[];
}

/** The obedience to one rule. */
export interface Obedience {
  readonly given: number;
  readonly kept: number;
  /** Turns that broke it, those with a correction among them. */
  readonly broken: number;
  readonly corrected: number;
}

const MAX_BYTES = 2 * 1024 * 1024;

/** Appends judgements; one that is appended again counts once. */
export function noteJudgements(file: string, judgements: readonly Judgement[]): void {
  for (const judgement of judgements) appendLine(file, judgement, MAX_BYTES);
}

/** All judgements, oldest first, each once. */
export function readJudgements(file: string): Judgement[] {
  const byId = new Map<string, Judgement>();
  for (const judgement of readLines(file).filter(isJudgement)) {
    const { path, session, at } = judgement;
    byId.set(JSON.stringify([path, session, at]), judgement);
  }
  return [...byId.values()].sort(byTime);
}

/** The obedience to a rule, by some judgements. */
export function obedienceIn(judgements: readonly Judgement[]): Obedience {
  const verdicts = judgements.flatMap(({ turns }) => turns.map(({ verdict }) => verdict));
  const count = (...wanted: Verdict[]) => verdicts.filter((each) => wanted.includes(each)).length;
  return {
    given: judgements.reduce((sum, { given }) => sum + given, 0),
    kept: count("kept"),
    broken: count("broken", "corrected"),
    corrected: count("corrected"),
  };
}

/** The obedience to each rule as it is worded now, by path; `keyNow` gives a memory's present content. */
export function obedienceByPath(
  judgements: readonly Judgement[],
  keyNow: (path: string) => string | undefined,
): Map<string, Obedience> {
  const current = judgements.filter(({ path, key }) => keyNow(path) === key);
  return new Map(
    [...Map.groupBy(current, ({ path }) => path)].map(([path, its]) => [path, obedienceIn(its)]),
  );
}

function isJudgement(line: unknown): line is Judgement {
  const { path, key, session, at, given, turns } = (line ?? {}) as Partial<Judgement>;
  return [path, key, session, at].every((field) => typeof field === "string") &&
    Number.isInteger(given) && Array.isArray(turns) && turns.every(isTurnVerdict);
}

function isTurnVerdict(value: unknown): value is TurnVerdict {
  const { turn, verdict } = (value ?? {}) as Partial<TurnVerdict>;
  return typeof turn === "string" && VERDICTS.some((known) => known === verdict);
}
