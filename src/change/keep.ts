// Plans in the state folder: one that was kept before its first change is finished after a kill.

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import type { Plan } from "./change.ts";

/** A plan with what its owner knows of it. */
export interface KeptPlan {
  readonly plan: Plan;
}

/** Keeps a plan, with what its owner knows of it; it survives a power cut. */
export function keepPlan<Kept extends KeptPlan>(path: string, kept: Kept): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, JSON.stringify(kept) + "\n");
}

/** The plan that is kept; undefined if there is none, or a damaged one, of which nothing was applied. */
export function keptPlan<Kept extends KeptPlan>(path: string): Kept | undefined {
  try {
    const kept = JSON.parse(readFileSync(path, "utf8")) as Partial<Kept> | null;
    return Array.isArray(kept?.plan?.changes) ? kept as Kept : undefined;
  } catch {
    return undefined;
  }
}

/** Forgets a plan that is done. */
export function dropPlan(path: string): void {
  rmSync(path, { force: true });
}
