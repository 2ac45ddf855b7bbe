// What is injected while Claude works, at a file or an error: whether it may be in a conversation, and how.

import type { HookOutput } from "../../../hooks/wire.ts";
import type { ContextEventName } from "../../../hooks/events.ts";
import type { IndexedMemory } from "../../core/index/corpus.ts";
import { confidenceNow } from "../../core/memory/age.ts";
import { isMarked } from "../../core/memory/provenance.ts";
import { isMainGone } from "../../core/relation/standing.ts";
import { policyOf } from "../../core/memory/types.ts";
import { MIN_CONFIDENCE } from "../../core/ledger/usage.ts";
import { type InjectionReason, momentBlock } from "./entry.ts";
import type { ConversationId } from "../../core/recall/pending.ts";
import { FRESH_SESSION, loadSession } from "../../core/recall/session.ts";
import { isAsBefore, isOwn, NOTHING_SHOWN } from "../../core/recall/shown.ts";
import {
  conversationOf,
  deliveredWith,
  keepSession,
  leaveReceipt,
} from "../../core/events/conversation.ts";
import {
  additionalContext,
  type EventContext,
  type HookEvent,
  SILENT,
} from "../../core/events/event.ts";
import { seen } from "../../core/events/seen.ts";

/** A tool that is at a moment. */
export type MomentEvent = HookEvent<"PreToolUse"> | HookEvent<"PostToolUseFailure">;

/** The conversation of an event, and what may come to it. */
export interface MomentSession {
  readonly who: ConversationId;
  /** Whether a memory has come with a file. */
  hasFile(file: string): boolean;
  /** Whether a memory may come: the conversation does not have it yet. */
  isFit(memory: IndexedMemory): boolean;
}

/** Who would read an entry; undefined without a session. A subagent has not read what its session was shown. */
export async function momentSessionOf(
  event: MomentEvent,
  context: EventContext,
): Promise<MomentSession | undefined> {
  const { session, inAgent: agent } = event;
  if (session === undefined) return undefined;
  const now = context.now();
  const who = { session, agent };
  const { told } = context;
  const shown = event.isSubagent ? NOTHING_SHOWN : (await conversationOf(event, context)).shown;
  return {
    who,
    hasFile: (file) => told.has(who, file) || shown.delivered.some((each) => each.file === file),
    isFit: (memory) =>
      !told.has(who, memory.path) && !isMarked(memory) && !isMainGone(memory) &&
      !isOwn(memory, shown) &&
      !isAsBefore(memory, shown.seen) &&
      confidenceNow(memory, policyOf(memory.type).lifespanDays, now) >= MIN_CONFIDENCE,
  };
}

/** Brings a memory's entry, unless another tool of the same reply brings it already; writes the receipt. */
export function inject(
  memory: IndexedMemory,
  event: MomentEvent,
  context: EventContext,
  { listener: { who }, because, about, file, started, score }: {
    readonly listener: MomentSession;
    readonly because: InjectionReason;
    /** Words that its best sentences have. */
    readonly about: readonly string[];
    /** The file that it comes with, which it comes with once. */
    readonly file?: string | undefined;
    readonly started: number;
    readonly score?: number | undefined;
  },
): HookOutput {
  const { told, paths, defer } = context;
  const things = [memory.path, ...file === undefined ? [] : [file]];
  if (!told.claim(who, things)) return SILENT;
  const now = context.now();
  const block = momentBlock(memory, { because, about, now });
  const given = { ...deliveredWith(event, { block, memories: [memory] }, now), file };
  defer((isTaken) => {
    if (isTaken && !event.isSubagent) {
      // Other tools of the same reply may have saved theirs meanwhile.
      const state = loadSession(paths.sessions, who.session);
      keepSession(
        event,
        { ...FRESH_SESSION, ...state, delivered: [...state.delivered, given] },
        context,
      );
    }
    if (!isTaken || !event.isSubagent) told.release(who, things);
  });
  const ms = Math.round((performance.now() - started) * 100) / 100;
  const memories = [{ path: memory.path, ...score === undefined ? {} : { score } }];
  leaveReceipt(event, context, {
    ...{ outcome: "hit", why: because, file, block, memories },
    timings: { all: ms },
  });
  const name: ContextEventName = event.name;
  return { ...additionalContext(name, block), ...seen(event, context, [memory.name]) };
}
