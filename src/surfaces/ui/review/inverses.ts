// How decisions are taken back that no memory folder's log has: known while the page is open.

import { newChangeId } from "../../../core/ledger/change_log.ts";
import type { CallContext } from "../calls/call.ts";

/** Takes a decision back, and resolves with what was done, in words. */
export type Inverse = () => Promise<string>;

const inverses = new WeakMap<CallContext["listed"], Map<string, Inverse>>();

/** Keeps the inverse of a decision, and returns the group by which `undo` finds it. */
export function keepInverse(inverse: Inverse, { listed }: Pick<CallContext, "listed">): string {
  const kept = inverses.get(listed) ?? new Map<string, Inverse>();
  inverses.set(listed, kept);
  const group = newChangeId();
  kept.set(group, inverse);
  return group;
}

/** The inverse of a decision, which is taken once. */
export function takeInverse(
  group: string,
  { listed }: Pick<CallContext, "listed">,
): Inverse | undefined {
  const kept = inverses.get(listed);
  const inverse = kept?.get(group);
  kept?.delete(group);
  return inverse;
}
