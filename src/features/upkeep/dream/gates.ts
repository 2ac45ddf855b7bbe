// When a folder's memories are looked through by themselves. The gates are cheapest first.

/** What is known about a folder. */
export interface Circumstances {
  readonly now: Date;
  /** When the last dream began, and when somebody last looked whether one is due, in milliseconds since 1970; 0: never. */
  readonly last: number;
  readonly looked: number;
  /** Conversations that were captured since the last dream; counted only if it matters. */
  extractions(): number;
  /** Conversations of the project that have changed since then. */
  sessions(): number;
  /** Memories in the folder, and how many there were after the last dream. */
  active(): { readonly now: number; readonly then: number };
}

const HOUR_MS = 3_600_000;
/** Time between two dreams of a folder … */
const APART_MS = 24 * HOUR_MS;
/** … and at least, if much has been written. */
const LEAST_APART_MS = HOUR_MS;
/** Time between two looks. */
const LOOK_MS = 10 * 60_000;
const SESSIONS = 5;
const EXTRACTIONS = 10;
/** A project with more memories than this is looked through when it grows. */
const ACTIVE = 80;
const GROWN = 10;

/** Why a dream is due; undefined if it is not. */
export function dueBecause(found: Circumstances): string | undefined {
  const { now, last, looked } = found;
  if (isJustLookedAt(looked, now)) return undefined;
  const apart = since(last, now);
  if (apart < LEAST_APART_MS) return undefined;
  const extractions = found.extractions();
  if (extractions >= EXTRACTIONS) return `${extractions} extractions since the last dream`;
  const active = found.active();
  if (active.now > ACTIVE && active.now >= active.then + GROWN) return `${active.now} memories`;
  if (apart < APART_MS) return undefined;
  const sessions = found.sessions();
  return sessions >= SESSIONS ? `${sessions} sessions since the last dream` : undefined;
}

/** Whether somebody looked so short a time ago that nothing is counted again. */
export function isJustLookedAt(looked: number, now: Date): boolean {
  return since(looked, now) < LOOK_MS;
}

/** The time since a moment; a moment in the future is one before the clock was set back. */
function since(moment: number, now: Date): number {
  const passed = now.getTime() - moment;
  return passed < 0 ? Infinity : passed;
}
