// A dream's plan, kept in the state folder until it is done: a dream that is killed while it writes is finished by the
// next one, and applying a plan twice has the same effect as once.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../errors.ts";
import { writeFileAtomic } from "../../files/atomic.ts";
import type { ChangeKind } from "../../memory/change_log.ts";
import type { MemoryFolder } from "../../memory/memory.ts";
import { refuseOutside } from "../../memory/folder.ts";
import { archive, rewrite } from "../../memory/store.ts";
import { digestOf } from "../../memory/trust.ts";

/** A change to one memory. */
export interface Step {
  readonly path: string;
  readonly folder: MemoryFolder;
  /** The memory's name before. */
  readonly name: string;
  /** SHA-256 of the file that the decision was made about. */
  readonly before: string;
  /** The new text; undefined: it goes to the archive. */
  readonly text?: string;
  readonly what: ChangeKind;
  readonly because: string;
  readonly group: string;
}

/** The decided changes of a dream. */
export interface DreamPlan {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly steps: readonly Step[];
}

/** The result of applying a plan. */
export interface Applied {
  readonly done: readonly Step[];
  /** Steps of groups with a memory that somebody has changed meanwhile. */
  readonly left: readonly Step[];
}

/** Keeps a plan before its first step. */
export function keepPlan(path: string, plan: DreamPlan): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, JSON.stringify(plan) + "\n");
}

/** The plan that a killed dream has left; undefined if there is none. */
export function keptPlan(path: string): DreamPlan | undefined {
  try {
    const plan = JSON.parse(readFileSync(path, "utf8")) as Partial<DreamPlan>;
    return Array.isArray(plan.steps) && typeof plan.id === "string" ? plan as DreamPlan : undefined;
  } catch {
    return undefined; // none, or damaged: it was written in one piece, so no step of it was done
  }
}

/** Forgets a plan that is done. */
export function dropPlan(path: string): void {
  rmSync(path, { force: true });
}

/** Applies a plan, group by group; a group with a memory that has changed since the decision is left alone. */
export function applyPlan(plan: DreamPlan, onStep: (step: Step) => void = () => {}): Applied {
  const done: Step[] = [], left: Step[] = [];
  for (const group of Map.groupBy(plan.steps, ({ group }) => group).values()) {
    const states = group.map(stateOf);
    const isBegun = states.includes("done");
    if (!isBegun && states.includes("changed")) {
      left.push(...group);
      continue;
    }
    for (const [i, step] of group.entries()) {
      onStep(step);
      if (states[i] === "before") apply(step, new Date(plan.at));
      (states[i] === "changed" ? left : done).push(step);
    }
  }
  return { done, left };
}

/** How far a step is: its memory is as it was decided about, as it is to be, or as somebody has made it since. */
function stateOf({ path, before, text }: Step): "before" | "done" | "changed" {
  const there = digestAt(path);
  if (there === before) return "before";
  return there === (text === undefined ? undefined : digestOf(text)) ? "done" : "changed";
}

function apply({ path, folder, text, what, because, group }: Step, now: Date): void {
  const change = { what, because, group, now };
  if (text === undefined) archive(path, folder, change);
  else rewrite(path, text, folder, change);
}

function digestAt(path: string): string | undefined {
  try {
    return existsSync(path) ? digestOf(readFileSync(path)) : undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Refuses a plan that was changed to lead elsewhere. */
export function checkPlan(plan: DreamPlan, folders: readonly MemoryFolder[]): void {
  for (const { path, folder } of plan.steps) {
    const known = folders.find((each) => each.path === folder.path);
    refuseOutside(path, known?.path ?? "/nowhere");
  }
}
