import type { HookOutput } from "../../hooks/wire.ts";
import { resetSession, sweepSessions } from "../recall/session.ts";
import { atMost, type EventContext, type HookEvent, SILENT } from "./event.ts";

/** How long the session's start waits for the index: with nothing changed that is plenty for 10,000 files. */
const WAIT_MS = 1000;

/** After these the model no longer has what it was shown. */
const FORGETS: readonly unknown[] = ["clear", "compact"];

/** A session begins, or begins afresh: the index is brought up to date before the first prompt. */
export async function sessionStart(event: HookEvent, context: EventContext): Promise<HookOutput> {
  const { session, fields } = event;
  if (session !== undefined && FORGETS.includes(fields["source"])) {
    resetSession(context.paths.sessions, session);
  }
  await atMost(WAIT_MS, Promise.all(context.folders.map((folder) => context.sync(folder))));
  sweepSessions(context.paths.sessions, context.now());
  return SILENT;
}
