import { changedAt, confidenceNow, type Dated } from "../memory/age.ts";
import { policyOf } from "../memory/types.ts";
import type { Usage } from "./usage.ts";

/** The parts of a memory that decide its score. */
export interface Weighed extends Dated {
  readonly type: string;
  readonly confidence: number;
}

/** A memory below this confidence is neither recalled nor in the briefing; search still finds it. */
export const MIN_CONFIDENCE = 0.3;
/** Uses change the order of the titles in steps, so that most sessions begin with the same bytes. */
export const STEP = 5;
/** Uses count up to this; one more makes no difference. */
const MOST = 50;
const STALE_DAYS = 180;
const DAY_MS = 86_400_000;

/** Ranks memories for the briefing: confidence × (1 + uses / 10). */
export function usageScore(
  memory: Weighed,
  { now, used }: { readonly now: Date; readonly used: number },
): number {
  const uses = Math.min(MOST, Math.max(0, used));
  return confidenceNow(memory, policyOf(memory.type).lifespanDays, now) * (1 + uses / 10);
}

/** The same among the titles at session start, whose order changes its order only every few uses. */
export function steppedScore(
  memory: Weighed,
  { now, used }: { readonly now: Date; readonly used: number },
): number {
  return Math.round(10 * usageScore(memory, { now, used: used - used % STEP }));
}

/** Whether a memory has faded, or was neither changed nor used for half a year. */
export function isStale(
  memory: Weighed,
  { now, usage: { lastUsed } }: { readonly now: Date; readonly usage: Usage },
): boolean {
  const { lifespanDays } = policyOf(memory.type);
  if (confidenceNow(memory, lifespanDays, now) < MIN_CONFIDENCE) return true;
  const last = Math.max(changedAt(memory), lastUsed === undefined ? 0 : Date.parse(lastUsed));
  return now.getTime() - last > STALE_DAYS * DAY_MS;
}
