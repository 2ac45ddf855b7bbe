import { type Judgement, obedienceIn, readJudgements } from "../capture/verdicts.ts";
import { wayTo } from "../memory/archive.ts";
import { logged } from "../memory/change_log.ts";
import { memoryNow } from "../memory/folder.ts";
import { mayChange, type MemoryFile, type MemoryFolder } from "../memory/memory.ts";
import { isWithin } from "../memory/project.ts";
import {
  type EscalationLevel,
  type EscalationLine,
  hasReached,
  levelOf,
  LEVELS,
  noteLevel,
  readLevels,
  SAYS_LEVEL,
} from "../memory/escalation.ts";
import { isMarked } from "../memory/provenance.ts";
import { keyOf } from "../memory/suggested.ts";
import { mayRead } from "../memory/trust.ts";
import { isOffered } from "./propose.ts";

export interface EscalateOptions {
  /** The file of judgements. */
  readonly obedience: string;
  /** The file of escalations. */
  readonly escalations: string;
  readonly folders: readonly MemoryFolder[];
  readonly now: Date;
}

/** A step of a rule, and why. */
export interface EscalationStep {
  readonly from: EscalationLevel;
  readonly to: EscalationLevel;
  readonly because: string;
}

/** A rule that has taken a step. */
export interface Escalated {
  readonly memory: MemoryFile;
  readonly folder: MemoryFolder;
  readonly step: EscalationStep;
}

/** A rule is escalated after as many breaches, or one that the user had to correct … */
const BREACHES = 2;
/** … and comes down when it was kept this often in a row. */
const KEPT = 5;

/** Escalates rules that were just judged, or takes them down; each step is in the log of changes, and can be undone. */
export function escalate(
  paths: readonly string[],
  { obedience, escalations: file, folders, now }: EscalateOptions,
): Escalated[] {
  if (paths.length === 0) return [];
  const judgements = Map.groupBy(readJudgements(obedience), ({ path }) => path);
  const levels = readLevels(file);
  return [...new Set(paths)].flatMap((path): Escalated[] => {
    const folder = folders.find((folder) => isWithin(path, folder.path));
    if (folder === undefined || !mayChange(folder.scope)) return [];
    const memory = memoryNow(path, folder.scope);
    if (memory === undefined || isMarked(memory) || !mayRead(folder, memory.digest)) return [];
    const key = keyOf(memory), at = now.toISOString();
    const rung = levelOf(levels, { path, key });
    const canBeGuard = isOffered(memory);
    const step = stepOf(rung, judgements.get(path) ?? [], { canBeGuard });
    if (step === undefined) return [];
    const what = LEVELS.indexOf(step.to) > LEVELS.indexOf(step.from) ? "raise" : "lower";
    const { name, type } = memory;
    const { from, to, because } = step;
    logged(
      folder,
      { what, at, name, type, file: wayTo(path, folder.path), key, because, rung: { from, to } },
      () => noteLevel(file, { path, key, rung: to, at }),
    );
    return [{ memory, folder, step }];
  });
}

/** Whether some rule comes with what it forbids. */
export function isAtCommands(levels: string): boolean {
  return [...readLevels(levels).values()].some((line) => hasReached(line, "moment"));
}

/** The step that a rule takes by the verdicts since its last one; undefined: none. */
export function stepOf(
  { rung, key, at }: EscalationLine,
  judgements: readonly Judgement[],
  { canBeGuard }: {
    /** Its words say which command or file it forbids. */
    readonly canBeGuard: boolean;
  },
): EscalationStep | undefined {
  const since = judgements.filter((each) => each.key === key && each.at > at);
  const { broken, corrected } = obedienceIn(since);
  const verdicts = since.flatMap(({ turns }) => turns.map(({ verdict }) => verdict));
  const inARow = verdicts.length - 1 - verdicts.findLastIndex((verdict) => verdict !== "kept");
  const place = LEVELS.indexOf(rung);
  const step = (to: EscalationLevel | undefined, because: string) =>
    to === undefined ? undefined : { from: rung, to, because: `${because}; now ${SAYS_LEVEL[to]}` };
  if (place > 0 && inARow >= KEPT) return step(LEVELS[place - 1], `kept in ${inARow} turns`);
  if (corrected > 0 || broken >= BREACHES) {
    const next = LEVELS[place + 1];
    const isOpen = next === "prompt" || canBeGuard;
    return step(
      isOpen ? next : undefined,
      corrected > 0 ? "corrected again" : `broken in ${broken} turns`,
    );
  }
  return undefined;
}
