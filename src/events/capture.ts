// Capture from hooks: they report which transcript has new turns, and never wait for the result.

import { hookEvent, type QueuedEventName } from "../../hooks/events.ts";
import type { HookOutput } from "../../hooks/wire.ts";
import { leftBehind, type Location, noteSession, skipTo, sweepCursors } from "../capture/cursor.ts";
import { enqueue, type Trigger } from "../capture/queue.ts";
import { isCapturing } from "../settings/purposes.ts";
import { type EventContext, type HookEvent, readEvent, SILENT } from "./event.ts";

/** Queues the transcript of an event for capture; turns written while capture is off are never captured. */
export function capture(
  event: HookEvent<QueuedEventName>,
  context: EventContext,
): Promise<HookOutput> {
  const where = locationOf(event, context);
  if (where !== undefined) {
    const { capture } = context.paths;
    if (isCapturing(context.config)) {
      enqueueSomewhere(
        context.paths,
        { ...where, ...hookEvent(event.name)!.queued! },
        context.now(),
      );
      const text = event.name === "Stop" ? event.said : undefined;
      const said = text === undefined ? undefined : { transcript: where.transcript, text };
      context.captureSoon({ said });
    } else skipTo(capture, where);
  }
  return Promise.resolve(SILENT);
}

/** Queues the transcript inside the hook when no daemon runs; the one that is being started finds the job. */
export function enqueueOffline(
  input: unknown,
  session: Pick<EventContext, "paths" | "projectDir" | "isPlain">,
): void {
  const event = readEvent(input);
  const turn = hookEvent(event?.name)?.queued;
  const where = event && locationOf(event, session);
  if (turn === undefined || where === undefined) return;
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
  if (where === undefined || !isCapturing(context.config)) return;
  enqueueSomewhere(context.paths, { ...where, isOver: false }, context.now());
  context.captureSoon();
}

/** Captures what killed sessions have left, and records the new session in case it is killed. */
export function takeUp(event: HookEvent<"SessionStart">, context: EventContext): void {
  const where = locationOf(event, context);
  const { source } = event;
  if (where === undefined || !isCapturing(context.config)) return;
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
