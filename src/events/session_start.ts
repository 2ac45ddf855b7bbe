import type { HookOutput } from "../../hooks/wire.ts";
import { transcriptsOf } from "../capture/cursor.ts";
import type { Anchor } from "../journal/journal.ts";
import { journalTail } from "../journal/tail.ts";
import { within } from "../link/within.ts";
import {
  FRESH_SESSION,
  loadSession,
  recordsOf,
  resetSession,
  type SessionState,
  sweepSessions,
} from "../recall/session.ts";
import { readUsage } from "../memory/usage.ts";
import { NOTHING_SHOWN, type Shown, shown } from "../recall/shown.ts";
import { standing } from "../recall/standing.ts";
import { forkedFrom } from "../transcript/parent.ts";
import { takeUp } from "./capture.ts";
import { handedWith, keepSession, liveBranch } from "./conversation.ts";
import { additionalContext, type EventContext, type HookEvent } from "./event.ts";
import { leaveReceipt } from "./receipt.ts";
import { seen } from "./seen.ts";

/** Limit on the wait for the index; enough for 10,000 unchanged files. */
const WAIT_MS = 700;

/**
 * Answers the start of a session: updates the index before the first prompt, and tells the model who the user is and
 * what is recent; after a compaction, what it had in use. A resumed conversation is told only what it does not have
 * yet.
 */
export async function sessionStart(
  event: HookEvent<"SessionStart">,
  context: EventContext,
): Promise<HookOutput> {
  const { paths, folders, config } = context;
  const started = performance.now();
  const synced = Promise.all(folders.map((folder) => context.sync(folder)));
  const read = whatWasBefore(event, context);
  await within(WAIT_MS, synced.catch(() => {})); // the engine logs failures
  const before = await read;
  sweepSessions(paths.sessions, context.now());

  context.afterwards(() => takeUp(event, context));
  context.afterwards(() => context.warm(folders));

  const { block, memories, listed } = await context.withIndex((index) =>
    standing({
      index,
      config,
      folders,
      now: context.now(),
      usage: readUsage(paths.usage),
      journal: before.startedAt !== undefined
        ? []
        : journalTail(folders, { without: isOwn(event, context, before) }),
      inUse: event.source === "compact" ? [...before.shown.seen.keys()] : undefined,
      since: before.startedAt === undefined ? undefined : { ...before.shown, at: before.startedAt },
    })
  );

  // After a compaction the model has lost everything that it was shown.
  const kept = event.source === "compact" ? [] : before.shown.handed;
  const at = context.now();
  const given = block === undefined ? [] : [handedWith(event, { block, memories, listed }, at)];
  context.afterwards((isTaken) => {
    // The hook timed out, answered by itself, and recorded that answer.
    if (event.session === undefined || !isTaken) return;
    const handed = [...kept, ...given];
    if (handed.length === 0 && before.parent === undefined) {
      resetSession(paths.sessions, event.session);
    } else {
      const { parent } = before;
      keepSession(event, { handed, begun: at.getTime(), parent }, context);
    }
  });
  const notice = joined([await noticeOf(event, context), seen(event, context)]);
  if (block === undefined) return notice;
  const timings = { all: Math.round((performance.now() - started) * 100) / 100 };
  const named = memories.map(({ path }) => ({ path }));
  leaveReceipt(event, context, { outcome: "hit", block, memories: named, timings });
  return { ...additionalContext("SessionStart", block), ...notice };
}

/** A line for the user if the repository has files that wait for consent; not repeated after a compaction. */
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

/** Several lines for the user as one message. */
function joined(
  lines: readonly Pick<HookOutput, "systemMessage">[],
): Pick<HookOutput, "systemMessage"> {
  const said = lines.flatMap(({ systemMessage }) => systemMessage ?? []);
  return said.length === 0 ? {} : { systemMessage: said.join("\n") };
}

/** The conversation that a session continues. */
interface Before {
  readonly shown: Shown;
  /** When the model received its start block, in milliseconds since 1970; undefined if it did not. */
  readonly startedAt: number | undefined;
  /** The transcript that a fork continues. */
  readonly parent: string | undefined;
}

async function whatWasBefore(
  event: HookEvent<"SessionStart">,
  context: EventContext,
): Promise<Before> {
  const { session, source, transcript } = event;
  if (session === undefined || source === "clear") {
    return { shown: NOTHING_SHOWN, startedAt: undefined, parent: undefined };
  }
  const { sessions } = context.paths;
  const state = loadSession(sessions, session);
  if (source !== "resume" && source !== "fork") {
    const known: SessionState = source === "compact" ? state : FRESH_SESSION;
    return { shown: shown(known, undefined), startedAt: undefined, parent: undefined };
  }
  const own = await liveBranch(transcript, {}, context, WAIT_MS);
  const parent = own === undefined ? parentOf(event, context) : undefined;
  const live = own ?? await liveBranch(undefined, { parent }, context, WAIT_MS);
  // A fork has its blocks from another session, whose state records their contents.
  const names = new Set(live?.blocks.map(({ name }) => name));
  const handed = [...state.handed, ...live === undefined ? [] : recordsOf(sessions, names)];
  const standing = shown({ ...state, handed }, live);
  const start = standing.handed.find(isStart);
  const isUnknown = start === undefined && live?.blocks.some(isStart);
  // Without a record of the block, memo cannot tell what is new since.
  const startedAt = isUnknown ? Infinity : start?.at;
  return { shown: standing, startedAt, parent };
}

function parentOf(
  { transcript, sinceAnswer }: HookEvent<"SessionStart">,
  { now }: EventContext,
): string | undefined {
  if (transcript === undefined || sinceAnswer === undefined) return undefined;
  return forkedFrom(transcript, { sinceAnswer, now: now() });
}

/** Whether a journal entry is about this conversation, or one that this process has cleared. */
function isOwn(
  { session, source, transcript }: HookEvent<"SessionStart">,
  { paths, pid }: EventContext,
  { shown, parent }: Before,
): (anchor: Anchor) => boolean {
  const cleared = source === "clear" && pid !== undefined ? transcriptsOf(paths.capture, pid) : [];
  if (source === "startup") return () => false; // it has no entries yet
  const own = new Set([transcript, parent, ...cleared]);
  return (anchor) =>
    anchor.session === session || own.has(anchor.transcript) || shown.turns.has(anchor.turn);
}

function isStart({ event }: { readonly event: string | undefined }): boolean {
  return event === "SessionStart";
}
