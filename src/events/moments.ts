// What comes while Claude works: at a file, at an error. The hook asks only where a project has something for the moment.

import type { HookOutput } from "../../hooks/wire.ts";
import type { ContextEventName, Moment } from "../../hooks/events.ts";
import { isGuarded } from "../guard/check.ts";
import { isAtCommands } from "../guard/climb.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import { confidenceNow } from "../memory/age.ts";
import { projectAt } from "../memory/project.ts";
import { mayStand } from "../memory/provenance.ts";
import { policyOf } from "../memory/types.ts";
import { MIN_CONFIDENCE } from "../memory/usage_score.ts";
import { NEVER_AT_ERRORS } from "../guard/at_error.ts";
import { type Because, momentBlock } from "../guard/entry.ts";
import type { Moments } from "../guard/moments.ts";
import { mark } from "../guard/markers.ts";
import type { Conversant } from "../guard/told.ts";
import { FRESH_SESSION, loadSession } from "../recall/session.ts";
import { isAsBefore, isOwn, NOTHING_SHOWN } from "../recall/shown.ts";
import { conversationOf, handedWith, keepSession } from "./conversation.ts";
import { additionalContext, type EventContext, type HookEvent, SILENT } from "./event.ts";
import { leaveReceipt } from "./receipt.ts";
import { seen } from "./seen.ts";

/** A tool that is at a moment. */
export type MomentEvent = HookEvent<"PreToolUse"> | HookEvent<"PostToolUseFailure">;

/** Notes for the hook, once the answer is out, which moments the project has something for. */
export function noteMoments(context: EventContext): void {
  const { paths, projectDir, moments, afterwards } = context;
  if (moments === undefined) return;
  afterwards(async () =>
    mark({ ...paths, projectDir }, await presentMoments(context, moments), context.now())
  );
}

async function presentMoments(
  { config, folders, paths, withIndex, place }: EventContext,
  { files }: Moments,
): Promise<Record<Moment, boolean>> {
  const wanted = config["recall.moments"];
  const top = projectAt(place)?.top;
  return await withIndex(async (index) => {
    const corpus = (await index.corpus(folders)).of(NEVER_AT_ERRORS);
    const isFile = wanted === "all" && top !== undefined &&
      (await files.follow(index, top, folders)).size > 0;
    const isError = wanted !== "off" && await corpus.size() > 0;
    return {
      file: isFile,
      error: isError,
      guard: isGuarded(paths.guards, folders) || isAtCommands(paths.rungs),
    };
  });
}

/** The conversation of an event, and what may come to it. */
export interface Listener {
  readonly who: Conversant;
  /** Whether a memory has come with a file. */
  isToldOf(file: string): boolean;
  /** Whether a memory may come: the conversation does not have it yet. */
  isFit(memory: IndexedMemory): boolean;
}

/** Who would read an entry; undefined without a session. A subagent has not read what its session was shown. */
export async function listenerOf(
  event: MomentEvent,
  context: EventContext,
): Promise<Listener | undefined> {
  const { session, inAgent: agent } = event;
  if (session === undefined) return undefined;
  const now = context.now();
  const who = { session, agent };
  const told = context.moments?.told;
  const shown = event.isSubagent ? NOTHING_SHOWN : (await conversationOf(event, context)).shown;
  return {
    who,
    isToldOf: (file) =>
      told?.has(who, file) === true || shown.handed.some((each) => each.file === file),
    isFit: (memory) =>
      told?.has(who, memory.path) !== true && mayStand(memory) && !isOwn(memory, shown) &&
      !isAsBefore(memory, shown.seen) &&
      confidenceNow(memory, policyOf(memory.type).lifespanDays, now) >= MIN_CONFIDENCE,
  };
}

/** Brings a memory's entry, unless another tool of the same reply brings it already; writes the receipt. */
export function bring(
  memory: IndexedMemory,
  event: MomentEvent,
  context: EventContext,
  { listener: { who }, because, about, file, started, score }: {
    readonly listener: Listener;
    readonly because: Because;
    /** Words that its best sentences have. */
    readonly about: readonly string[];
    /** The file that it comes with, which it comes with once. */
    readonly file?: string | undefined;
    readonly started: number;
    readonly score?: number | undefined;
  },
): HookOutput {
  const { moments, paths, afterwards } = context;
  const things = [memory.path, ...file === undefined ? [] : [file]];
  if (moments?.told.claim(who, things) !== true) return SILENT;
  const now = context.now();
  const block = momentBlock(memory, { because, about, now });
  const given = { ...handedWith(event, { block, memories: [memory] }, now), file };
  afterwards((isTaken) => {
    if (isTaken && !event.isSubagent) {
      // Other tools of the same reply may have saved theirs meanwhile.
      const state = loadSession(paths.sessions, who.session);
      keepSession(event, { ...FRESH_SESSION, ...state, handed: [...state.handed, given] }, context);
    }
    if (!isTaken || !event.isSubagent) moments.told.release(who, things);
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
