// How often each memory was shown, and how often a turn then used it. It is state, counted in lines that are appended:
// no memory file is rewritten for it.

import { appendLines, readLines } from "../files/jsonl.ts";
import { takeLock } from "../files/lock.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { statsOf, whileUnchanged } from "../files/there.ts";
import { lockOf } from "../../paths.ts";
import { changedAt, confidenceNow, type Dated } from "../memory/age.ts";
import { policyOf } from "../memory/types.ts";

/** The use of one memory. */
export interface Usage {
  /** How often it was put before the model. */
  readonly shown: number;
  /** ISO 8601; undefined: never. */
  readonly lastShown?: string | undefined;
  /** How many turns used it or confirmed it. */
  readonly used: number;
  readonly lastUsed?: string | undefined;
}

/** An addition to the counts of a memory. */
export interface Use {
  readonly path: string;
  readonly at: string;
  readonly shown?: number;
  readonly used?: number;
  /** What hooks call the prompt of the turn that used it. */
  readonly prompt?: string | undefined;
}

const UNUSED: Usage = { shown: 0, used: 0 };
/** A longer file is summed up, one line a memory; then again when it is twice as long as that left it. */
const MAX_BYTES = 512 * 1024;
/** The counts of a memory that is gone are dropped when it was last shown or used so long ago. */
const GONE_MS = 90 * 86_400_000;
const LOCK_FRESH_MS = 10_000;

/** Adds to the counts. */
export function noteUses(file: string, uses: readonly Use[]): void {
  appendLines(file, uses, Infinity);
  const most = Math.max(MAX_BYTES, 2 * (summedUp.get(file) ?? 0));
  if ((statsOf(file)?.size ?? 0) > most) sumUp(file);
}

/** How long the files were after this process had summed them up. */
const summedUp = new Map<string, number>();

/** The use of every memory, by path. */
export const readUsage = whileUnchanged((file): ReadonlyMap<string, Usage> => {
  const usage = new Map<string, Usage>();
  for (const { path, at, shown = 0, used = 0 } of readLines(file).filter(isUse)) {
    const before = usage.get(path) ?? UNUSED;
    usage.set(path, {
      shown: before.shown + shown,
      used: before.used + used,
      lastShown: shown > 0 ? later(before.lastShown, at) : before.lastShown,
      lastUsed: used > 0 ? later(before.lastUsed, at) : before.lastUsed,
    });
  }
  return usage;
});

/** Which turns used which memories, as far back as the file has not been summed up: nothing is known of turns before. */
export function readTurnUses(file: string) {
  const uses = readLines(file).filter(isUse).filter(({ prompt }) => prompt !== undefined);
  const keys = new Set(uses.map(({ prompt, path }) => `${prompt} ${path}`));
  const isUsed = (prompt: string | undefined, path: string) => keys.has(`${prompt} ${path}`);
  return { since: uses[0]?.at, isUsed };
}

/** The use of a memory in some counts. */
export function usageOf(usage: ReadonlyMap<string, Usage>, path: string): Usage {
  return usage.get(path) ?? UNUSED;
}

/** Writes one line a memory; what another process adds in this moment may be lost. */
function sumUp(file: string): void {
  const release = takeLock(lockOf(file), LOCK_FRESH_MS);
  if (release === undefined) return;
  try {
    const kept = [...readUsage(file)].filter(([path, { lastShown = "", lastUsed = "" }]) =>
      Date.now() - Date.parse(lastShown > lastUsed ? lastShown : lastUsed) < GONE_MS ||
      statsOf(path) !== undefined
    );
    const lines = kept.flatMap(([path, { shown, used, lastShown, lastUsed }]) => [
      ...shown > 0 ? [{ path, at: lastShown!, shown }] : [],
      ...used > 0 ? [{ path, at: lastUsed!, used }] : [],
    ]);
    const text = lines.map((line) => JSON.stringify(line) + "\n").join("");
    writeFileAtomic(file, text);
    summedUp.set(file, Buffer.byteLength(text));
  } finally {
    release();
  }
}

function later(a: string | undefined, b: string): string {
  return a === undefined || a < b ? b : a;
}

function isUse(line: unknown): line is Use {
  const { path, at, shown = 0, used = 0 } = (line ?? {}) as Partial<Record<keyof Use, unknown>>;
  return typeof path === "string" && typeof at === "string" && !Number.isNaN(Date.parse(at)) &&
    Number.isFinite(shown) && Number.isFinite(used);
}

interface Weighed extends Dated {
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
