import { teamNames } from "../../core/memory/teams.ts";
import { lastPoll, memberships } from "./membership.ts";
import { runDetached } from "../../core/engine/detached.ts";
import type { JobContext } from "../../core/engine/jobs.ts";

/** A team is looked at this often at most, and at the start of a session. */
const GAP_MS = 10 * 60_000;
/** A start looks again after this time: sessions that begin together make one look. */
const START_GAP_MS = 10_000;
/** Up to this share is added, so that a team's clients do not all come at once. */
const JITTER = 0.3;

let started = 0;

/** Looks at the servers of the user's teams where it is time to, in a process of its own. */
export function pollTeams(context: JobContext): void {
  const { engine, env, now, after } = context;
  const { teams } = engine.paths;
  if (env === undefined || teamNames(teams).length === 0) return;
  const gap = after === "SessionStart" ? START_GAP_MS : GAP_MS * (1 + JITTER * Math.random());
  const isDue = memberships({ teams }).some((member) => {
    const { tried } = lastPoll(member) ?? {};
    return tried === undefined || Math.abs(now.getTime() - Date.parse(tried)) >= gap;
  });
  if (!isDue || Math.abs(now.getTime() - started) < START_GAP_MS) return;
  started = now.getTime();
  runDetached(["team", "sync", "--quiet"], context);
}
