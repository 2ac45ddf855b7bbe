import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Moment, MOMENTS } from "../../../hooks/events.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { namesIn } from "../../core/files/there.ts";
import { markerOf, type Where } from "../../core/link/moments.ts";

/** A project without a session for this long is forgotten. */
const MAX_AGE_MS = 90 * 86_400_000;

/** A marker's time says when a session last ran in its project, to the day: each prompt looks at it. */
const REFRESH_MS = 86_400_000;

/** Notes for the hook which kinds of moments a project has something for. */
export function mark(
  where: Where,
  present: Readonly<Record<Moment, boolean>>,
  now: Date,
): void {
  for (const moment of MOMENTS) {
    const path = markerOf(where, moment);
    const marked = statSync(path, { throwIfNoEntry: false });
    if (!present[moment]) {
      if (marked !== undefined) rmSync(path, { force: true });
    } else if (marked === undefined || Math.abs(now.getTime() - marked.mtimeMs) > REFRESH_MS) {
      mkdirSync(where.moments, { recursive: true, mode: 0o700 });
      writeFileAtomic(path, "", { durable: false });
    }
  }
}

/** Removes the markers of projects that no session has run in for long; returns how many. */
export function sweepMarkers(folder: string, now: Date): number {
  let removed = 0;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    try {
      if (now.getTime() - statSync(path).mtimeMs <= MAX_AGE_MS) continue;
      rmSync(path);
      removed++;
    } catch {
      // another process removed it
    }
  }
  return removed;
}
