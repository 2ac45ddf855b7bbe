// The kinds of start that Claude Code tells apart: what each begins with, and what it leaves to capture.

import type { HookInputs } from "../../../hooks/wire.ts";
import { transcriptsOf } from "../capture/cursor.ts";
import { journalTail, type TurnAnchor } from "../journal/journal.ts";
import { type Delivered, loadSession, recordsOf } from "../recall/session.ts";
import { shown } from "../recall/shown.ts";
import { isStartBlock, type StartBlockOptions } from "../recall/start_block.ts";
import type { LiveBranch } from "../transcript/live_branch.ts";
import { forkedFrom } from "../transcript/recent.ts";
import { captureCompacted, takeUp } from "./capture.ts";
import { liveBranch } from "./conversation.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** What a session begins with. */
export interface Start extends Pick<StartBlockOptions, "journal" | "inUse" | "since"> {
  /** The blocks that the model still has; default: none. */
  readonly delivered?: readonly Delivered[];
  /** The transcript that a fork continues while it has none of its own. */
  readonly parent?: string | undefined;
}

/** A kind of start. */
export interface StartKind {
  read(event: HookEvent<"SessionStart">, context: EventContext): Start | Promise<Start>;
  /** Queues for capture what the start brings to light. */
  capture(event: HookEvent<"SessionStart">, context: EventContext): void;
  /** The user was told at the session's beginning what waits for consent. */
  readonly isQuiet?: true;
}

/** Maximum wait for the first read of a long transcript, in milliseconds. */
const READ_MS = 700;

/** Every kind of start, by Claude Code's name for it. */
export const STARTS: { readonly [Source in HookInputs["SessionStart"]["source"]]: StartKind } = {
  startup: { read: startup, capture: takeUp },
  clear: { read: clear, capture: takeUp },
  compact: { read: compact, capture: captureCompacted, isQuiet: true },
  resume: { read: resume, capture: takeUp },
  fork: { read: resume, capture: takeUp },
};

function startup(event: HookEvent<"SessionStart">, context: EventContext): Start {
  return { journal: journalWithout(event, context) };
}

/** The same process, with an empty conversation: what was cleared does not come back through the journal. */
function clear(event: HookEvent<"SessionStart">, context: EventContext): Start {
  const { pid, paths } = context;
  const cleared = pid === undefined ? [] : transcriptsOf(paths.capture, pid);
  return { journal: journalWithout(event, context, { transcripts: cleared }) };
}

/** The conversation as a summary: the model has lost all that it was shown, and gets back what it had in use. */
function compact(event: HookEvent<"SessionStart">, context: EventContext): Start {
  const { session } = event;
  const inUse = session === undefined
    ? []
    : [...shown(loadSession(context.paths.sessions, session), undefined).seen.keys()];
  return { journal: journalWithout(event, context), inUse };
}

/** A conversation that goes on, as itself or as a fork: only what it does not have yet is new to it. */
async function resume(event: HookEvent<"SessionStart">, context: EventContext): Promise<Start> {
  const { session, transcript, sinceAnswer } = event;
  if (session === undefined) return startup(event, context);
  const { sessions } = context.paths;
  const state = loadSession(sessions, session);
  const own = await liveBranch(transcript, {}, context, READ_MS);
  const isFork = own === undefined && transcript !== undefined && sinceAnswer !== undefined;
  const parent = isFork ? forkedFrom(transcript, { sinceAnswer, now: context.now() }) : undefined;
  const live = own ?? await liveBranch(undefined, { parent }, context, READ_MS);
  // A fork has its blocks from another session, whose state records their contents.
  const names = new Set(live?.blocks.map(({ name }) => name));
  const others = live === undefined ? [] : recordsOf(sessions, names);
  const known = { ...state, delivered: [...state.delivered, ...others] };
  const before = shown(known, live, { session });
  const { delivered } = before, start = delivered.find(isStart);
  // Without a record of the start block, memo cannot tell what is new since.
  const isUnknown = start === undefined && live !== undefined && hasStart(live);
  const at = isUnknown ? Infinity : start?.at;
  if (at !== undefined) return { journal: [], since: { ...before, at }, delivered, parent };
  const transcripts = parent === undefined ? [] : [parent];
  const journal = journalWithout(event, context, { transcripts, turns: before.own });
  return { journal, delivered, parent };
}

/** Whether a conversation has a start block, which may have come with a prompt. */
export function hasStart({ blocks }: LiveBranch): boolean {
  return blocks.some((block) => isStart(block) || isStartBlock(block.text));
}

/** Whether a block is what a session begins with. */
export function isStart({ event }: { readonly event: string | undefined }): boolean {
  return event === "SessionStart";
}

/** The end of the journal without the entries about the conversation itself, and about others given. */
export function journalWithout(
  { session, transcript }: HookEvent,
  { folders }: EventContext,
  { transcripts = [], turns }: {
    readonly transcripts?: readonly string[];
    readonly turns?: ReadonlySet<string>;
  } = {},
): string[] {
  const own = new Set([transcript, ...transcripts]);
  const isOwn = (anchor: TurnAnchor) =>
    anchor.session === session || own.has(anchor.transcript) || turns?.has(anchor.turn) === true;
  return journalTail(folders, isOwn);
}
