import { runDetached } from "../../core/engine/detached.ts";
import type { JobContext } from "../../core/engine/jobs.ts";

/** Syncs at most this often: the end of a session and of its capture come together. */
const GAP_MS = 20_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Syncs soon, with the environment of the session that has ended. Several calls in a row make one sync. The daemon may
 * end meanwhile; the next session syncs then.
 */
export function syncLater(
  context: Pick<JobContext, "env" | "place" | "log">,
  gapMs: number = GAP_MS,
): void {
  if (context.env === undefined) return;
  clearTimeout(timer);
  timer = setTimeout(() => runDetached(["sync", "--quiet"], context), gapMs);
}
