// Capture from hooks: they report which transcript has new turns, and never wait for the result.

import { hookEvent, type QueuedEventName } from "../../../hooks/events.ts";
import type { HookOutput } from "../../../hooks/wire.ts";
import {
  knownCursor,
  leftBehind,
  type Location,
  noteSession,
  skipTo,
  sweepCursors,
} from "../capture/cursor.ts";
import { enqueue, type Trigger } from "../capture/queue.ts";
import type { Env } from "../../paths.ts";
import { isCapturing } from "../settings/purposes.ts";
import { type EventContext, type HookEvent, readEvent, SILENT } from "./event.ts";

/** Queues the transcript of an event for capture. */
export function capture(
  event: HookEvent<QueuedEventName>,
  context: EventContext,
): Promise<HookOutput> {
  const where = locationOf(event, context);
  if (where !== undefined && mayCapture(where, context)) {
    enqueueSomewhere(context.paths, { ...where, ...hookEvent(event.name)!.queued! }, context.now());
    const text = event.name === "Stop" ? event.said : undefined;
    const said = text === undefined ? undefined : { transcript: where.transcript, text };
    context.captureSoon({ said });
  }
  return Promise.resolve(SILENT);
}

/**
 * Whether a conversation is captured now. What is written while nothing may be sent is passed over for good, and so is a
 * turn that began then: a later yes is none to it.
 */
function mayCapture(
  where: Location,
  { paths: { capture }, config }: Pick<EventContext, "paths" | "config">,
): boolean {
  const mayBeSent = isCapturing(config);
  if (!mayBeSent || knownCursor(capture, where.transcript)?.isClosed) {
    skipTo(capture, where, { mayBeSent });
  }
  return mayBeSent;
}

/** Notes whether a turn that begins now may be captured. */
export function noteTurn(event: HookEvent, context: EventContext): void {
  const where = locationOf(event, context);
  try {
    if (where !== undefined) mayCapture(where, context);
  } catch {
    // the disk is full, say: the prompt is answered all the same
  }
}

/** Queues the transcript inside the hook when no daemon runs; the one that is being started finds the job. */
export async function enqueueOffline(
  input: unknown,
  session: Pick<EventContext, "paths" | "isPlain"> & { readonly projectDir: string },
  env: Env,
): Promise<void> {
  const event = readEvent(input);
  const turn = hookEvent(event?.name)?.queued;
  const where = event && locationOf(event, session);
  if (turn === undefined || where === undefined) return;
  const { paths, projectDir } = session;
  const { placeIn, projectSettings } = await import("../memory/scopes.ts");
  const { loadConfig } = await import("../settings/config.ts");
  const project = projectSettings(placeIn(paths, where.cwd, projectDir));
  if (!mayCapture(where, { paths, config: loadConfig(paths.config, env, { project }) })) return;
  enqueueSomewhere(session.paths, { ...where, ...turn }, new Date());
}

/** Queues in Claude Code's own folder if the state folder cannot be written, because its disk is full or read-only. */
function enqueueSomewhere(
  { capture, spareCapture }: EventContext["paths"],
  trigger: Trigger,
  now: Date,
): void {
  try {
    enqueue(capture, trigger, now);
  } catch {
    enqueue(spareCapture, trigger, now);
  }
}

/** Queues a conversation that was summarised: its summary, and turns that were left to wait for more. */
export function captureCompacted(event: HookEvent<"SessionStart">, context: EventContext): void {
  const where = locationOf(event, context);
  if (where === undefined || !mayCapture(where, context)) return;
  enqueueSomewhere(context.paths, { ...where, isOver: false }, context.now());
  context.captureSoon();
}

/** Captures what killed sessions have left, and records the new session in case it is killed. */
export function takeUp(event: HookEvent<"SessionStart">, context: EventContext): void {
  const where = locationOf(event, context);
  const { source } = event;
  if (where === undefined || !mayCapture(where, context)) return;
  const { capture } = context.paths;
  const now = context.now();
  noteSession(capture, { ...where, pid: context.pid });
  sweepCursors(capture, now);
  const own = source === "resume" || source === "fork" ? [where] : [];
  for (
    const { transcript, cwd, projectDir, claude, isPlain } of [
      ...own,
      ...leftBehind(capture, where.transcript, now),
    ]
  ) {
    enqueue(capture, { transcript, cwd, projectDir, claude, isPlain, isOver: true }, now);
  }
  context.captureSoon({ isFresh: true }); // the user is back, so the network may be, too
}

/** The location of an event's conversation; undefined inside a subagent, whose transcript is not the session's. */
function locationOf(
  { cwd, transcript, isSubagent }: HookEvent,
  { paths: { claude }, projectDir, isPlain }: Pick<
    EventContext,
    "paths" | "projectDir" | "isPlain"
  >,
): Location | undefined {
  return transcript === undefined || isSubagent
    ? undefined
    : { transcript, cwd, projectDir, claude, isPlain };
}
