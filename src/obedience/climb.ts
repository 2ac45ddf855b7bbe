import { isOffered } from "../guard/propose.ts";
import { logged } from "../memory/change_log.ts";
import { readMemoryFile } from "../memory/folder.ts";
import { mayChange, type MemoryFile, type MemoryFolder } from "../memory/memory.ts";
import { isWithin } from "../memory/project.ts";
import { keyOf } from "../memory/suggested.ts";
import { RUNGS } from "../memory/rung.ts";
import { mayRead } from "../memory/trust.ts";
import { wayTo } from "../memory/archive.ts";
import { noteRung, readRungs, rungOf, type RungStep, stepOf } from "./rungs.ts";
import { readJudgements } from "./verdicts.ts";

export interface ClimbOptions {
  /** The file of judgements. */
  readonly obedience: string;
  /** The file of rungs. */
  readonly rungs: string;
  readonly folders: readonly MemoryFolder[];
  readonly now: Date;
}

/** A rule that has taken a step. */
export interface Climbed {
  readonly memory: MemoryFile;
  readonly folder: MemoryFolder;
  readonly step: RungStep;
}

/** Lets rules that were just judged climb or come down; each step is in the log of changes, and can be undone. */
export function climb(
  paths: readonly string[],
  { obedience, rungs: file, folders, now }: ClimbOptions,
): Climbed[] {
  if (paths.length === 0) return [];
  const judgements = Map.groupBy(readJudgements(obedience), ({ path }) => path);
  const rungs = readRungs(file);
  return [...new Set(paths)].flatMap((path): Climbed[] => {
    const folder = folders.find((folder) => isWithin(path, folder.path));
    if (folder === undefined || !mayChange(folder.scope)) return [];
    const memory = readOrUndefined(path, folder);
    if (memory === undefined || !mayRead(folder, memory.digest)) return [];
    const key = keyOf(memory), now_ = now.toISOString();
    const rung = rungOf(rungs, { path, key });
    const canBeGuard = isOffered(memory);
    const step = stepOf(rung, judgements.get(path) ?? [], { canBeGuard });
    if (step === undefined) return [];
    const what = RUNGS.indexOf(step.to) > RUNGS.indexOf(step.from) ? "raise" : "lower";
    const { name, type } = memory;
    const { from, to, because } = step;
    const change = {
      what,
      at: now_,
      name,
      type,
      file: wayTo(path, folder.path),
      key,
      because,
    } as const;
    logged(
      folder,
      { ...change, rung: { from, to } },
      () => noteRung(file, { path, key, rung: to, at: now_ }),
    );
    return [{ memory, folder, step }];
  });
}

function readOrUndefined(path: string, { scope }: MemoryFolder): MemoryFile | undefined {
  try {
    return readMemoryFile(path, scope);
  } catch {
    return undefined; // forgotten meanwhile
  }
}
