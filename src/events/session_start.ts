import type { HookOutput } from "../../hooks/wire.ts";
import { journalTail } from "../journal/tail.ts";
import {
  FRESH_SESSION,
  loadSession,
  resetSession,
  saveSession,
  type SessionState,
  sweepSessions,
  withShown,
} from "../recall/session.ts";
import { shownIn } from "../recall/shown.ts";
import { standing } from "../recall/standing.ts";
import { within } from "../link/within.ts";
import { takeUp } from "./capture.ts";
import { additionalContext, type EventContext, type HookEvent } from "./event.ts";
import { leaveReceipt } from "./receipt.ts";

/** How long the session's start waits for the index: with nothing changed that is plenty for 10,000 files. */
const WAIT_MS = 1000;

/**
 * A session begins, or begins afresh: the index is brought up to date before the first prompt, and the model is
 * told who the user is and what is recent; after a compaction, what it had in use.
 */
export async function sessionStart(
  event: HookEvent<"SessionStart">,
  context: EventContext,
): Promise<HookOutput> {
  const { paths, folders, config } = context;
  const started = performance.now();
  const synced = Promise.all(folders.map((folder) => context.sync(folder)));
  await within(WAIT_MS, synced.catch(() => {})); // what failed is logged
  sweepSessions(paths.sessions, context.now());

  context.afterwards(() => takeUp(event, context));
  context.afterwards(() => context.withIndex((index) => index.warm(folders)));

  const before = await stateBefore(event, context);
  const isCompacted = event.source === "compact";
  const { block, shown } = await context.withIndex((index) =>
    standing({
      index,
      config,
      folders,
      now: context.now(),
      journal: journalTail(folders),
      inUse: isCompacted ? before.seen : undefined,
    })
  );
  // After a compaction the model has lost all it was shown, but the budget is for the whole session.
  const kept = isCompacted ? FRESH_SESSION : before;
  if (event.session !== undefined) {
    if (block === undefined) resetSession(paths.sessions, event.session);
    else saveSession(paths.sessions, event.session, withShown(kept, block, shown));
  }
  const notice = await noticeOf(event, context);
  if (block === undefined) return notice;
  const memories = shown.map((path) => ({ path }));
  const timings = { all: Math.round((performance.now() - started) * 100) / 100 };
  leaveReceipt(event, context, { outcome: "hit", block, memories, timings });
  return { ...additionalContext("SessionStart", block), ...notice };
}

/** A line for the person when the repository has brought what waits for consent; a compaction is no news. */
async function noticeOf(
  { source }: HookEvent<"SessionStart">,
  { folders, withIndex }: EventContext,
): Promise<Pick<HookOutput, "systemMessage">> {
  const shared = folders.filter(({ scope }) => scope === "shared");
  if (shared.length === 0 || source === "compact") return {};
  const waiting = await withIndex((index) => index.countWaiting(shared));
  if (waiting === 0) return {};
  const what = waiting === 1 ? "1 memory" : `${waiting} memories`;
  return {
    systemMessage:
      `memo: this repository brings ${what} that you have not trusted; \`memo trust --show\` prints them`,
  };
}

/** What the session was shown before this: its own state, or for a fork what its copied transcript tells. */
async function stateBefore(
  { session, source, transcript }: HookEvent<"SessionStart">,
  { paths }: EventContext,
): Promise<SessionState> {
  if (session === undefined || source === "clear") return FRESH_SESSION;
  const own = loadSession(paths.sessions, session);
  const goesOn = source === "resume" || source === "fork";
  return own.bytes === 0 && goesOn && transcript !== undefined ? await shownIn(transcript) : own;
}
