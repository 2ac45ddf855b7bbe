import { memoryNow } from "../memory/folder.ts";
import type { MemoryFile } from "../memory/memory.ts";
import type { EscalationLevel } from "../memory/escalation.ts";
import { keyOf } from "../memory/suggested.ts";
import { levelOf, readLevels } from "../memory/escalation.ts";
import {
  type Judgement,
  type Obedience,
  obedienceByPath,
  readJudgements,
  type Verdict,
} from "../capture/verdicts.ts";
import type { Paths } from "../paths.ts";
import { grouped } from "./grouped.ts";
import { dayOf } from "../llm/ledger.ts";

/** A rule, what became of it, and how far it has escalated. */
export interface RuleObedience extends Obedience {
  readonly name: string;
  readonly path: string;
  readonly rung: EscalationLevel;
}

/** The verdicts on the turns of one day. */
export interface DayOfVerdicts extends Readonly<Record<Verdict, number>> {
  /** Local, `2026-11-21`. */
  readonly day: string;
}

type RulePaths = Pick<Paths, "obedience" | "escalations">;

/** Those of some memories that the model was given as rules, most broken first. */
export function rulesOf(
  memories: readonly MemoryFile[],
  { obedience, escalations: file }: RulePaths,
): RuleObedience[] {
  const judged = readJudgements(obedience), paths = new Set(judged.map(({ path }) => path));
  const rules = memories.filter(({ path }) => paths.has(path));
  const keys = new Map(rules.map((memory) => [memory.path, keyOf(memory)]));
  const byPath = obedienceByPath(judged, (path) => keys.get(path));
  const levels = readLevels(file);
  return rules.flatMap(({ name, path }) => {
    const its = byPath.get(path);
    if (its === undefined) return [];
    return [{ name, path, ...its, rung: levelOf(levels, { path, key: keys.get(path)! }).rung }];
  }).sort((a, b) => b.broken - a.broken || b.given - a.given || (a.path < b.path ? -1 : 1));
}

/** The rules of every project that the model was given, most broken first; without those that are gone since. */
export function judgedRules(paths: RulePaths): RuleObedience[] {
  const judged = new Set(readJudgements(paths.obedience).map(({ path }) => path));
  const memories = [...judged].flatMap((path) => memoryNow(path, "user") ?? []);
  return rulesOf(memories, paths);
}

/** The verdicts of each day since one, oldest first; a turn that was corrected counts as that alone. */
export function verdictsByDay(judgements: readonly Judgement[], since: string): DayOfVerdicts[] {
  const all = judgements.flatMap(({ at, turns }) =>
    turns.map(({ verdict }) => ({ day: dayOf(at), verdict }))
  ).filter(({ day }) => day >= since);
  return grouped(all, ({ day }) => ({ day })).map(({ key, members }) => {
    const count = (wanted: Verdict) => members.filter(({ verdict }) => verdict === wanted).length;
    const kept = count("kept");
    const broken = count("broken");
    const corrected = count("corrected");
    return { ...key, kept, broken, corrected };
  });
}
