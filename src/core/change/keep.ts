// Plans in the state folder: one that was kept before its first change is finished after a kill.

import { rmSync } from "node:fs";
import { readState, writeState } from "../files/state.ts";
import type { Plan } from "./change.ts";

/** A plan with what its owner knows of it. */
export interface KeptPlan {
  readonly plan: Plan;
}

/** Keeps a plan, with what its owner knows of it; it survives a power cut. */
export function keepPlan<Kept extends KeptPlan>(path: string, kept: Kept): void {
  writeState(path, kept, { durable: true });
}

/** The plan that is kept; undefined if there is none, or a damaged one, of which nothing was applied. */
export function keptPlan<Kept extends KeptPlan>(path: string): Kept | undefined {
  const kept = readState(path) as Partial<Kept> | undefined;
  return Array.isArray(kept?.plan?.changes) ? kept as Kept : undefined;
}

/** Forgets a plan that is done. */
export function dropPlan(path: string): void {
  rmSync(path, { force: true });
}
