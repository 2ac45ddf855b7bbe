import type { Receipt } from "../../core/recall/receipts.ts";

/** How long memo has taken for its last hooks. */
export interface Latency {
  /** All events together first, then each, most frequent first. */
  readonly events: readonly EventLatency[];
  /** Oldest first. */
  readonly hooks: readonly TimedHook[];
}

/** Milliseconds of the hooks of one event; that so many of them took at most. */
export interface EventLatency {
  /** The hook event; undefined: all. */
  readonly event: string | undefined;
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
}

/** One hook. */
export interface TimedHook {
  /** ISO 8601. */
  readonly at: string;
  readonly event: string;
  readonly ms: number;
  readonly outcome: string;
}

/**
 * What some receipts, newest first, say of time: that from when the daemon had the question until it had the answer. The
 * process that Claude Code starts comes on top, and `memo bench hook` measures it.
 */
export function latencyOf(receipts: readonly Receipt[]): Latency {
  const hooks = receipts.flatMap(({ at, event = "UserPromptSubmit", ms, outcome }): TimedHook[] => {
    const times = Object.values(ms ?? {}).filter(Number.isFinite);
    if (times.length === 0 || Number.isNaN(Date.parse(at))) return [];
    const all = times.reduce((sum, each) => sum + each, 0);
    return [{ at, event, outcome, ms: Math.round(all * 10) / 10 }];
  }).reverse();
  const events = [...Map.groupBy(hooks, ({ event }) => event)].map(([event, its]) => ({
    event,
    ...spreadOf(its),
  })).sort((a, b) => b.count - a.count || (a.event < b.event ? -1 : 1));
  return {
    hooks,
    events: hooks.length === 0 ? [] : [{ event: undefined, ...spreadOf(hooks) }, ...events],
  };
}

function spreadOf(hooks: readonly TimedHook[]): Omit<EventLatency, "event"> {
  const sorted = hooks.map(({ ms }) => ms).sort((a, b) => a - b);
  // The nearest rank: a time that some hook has taken.
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}
