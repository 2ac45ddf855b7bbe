// The blocks in context in an event's session, and the record of new ones.

import { messageOf } from "../../errors.ts";
import { within } from "../link/within.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import {
  type Delivered,
  FRESH_SESSION,
  loadSession,
  saveSession,
  type SessionState,
} from "../recall/session.ts";
import { NOTHING_SHOWN, type Shown, shown, versionOf } from "../recall/shown.ts";
import { blockName } from "../text/block.ts";
import type { LiveBranch } from "../transcript/live_branch.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** Maximum wait of a prompt for the first read of a long transcript; after it, the saved state is used. */
const READ_MS = 150;

/** An event's session, as far as it affects what memo may show now. */
export interface Conversation {
  readonly state: SessionState;
  readonly shown: Shown;
  /** undefined without a transcript. */
  readonly live?: LiveBranch | undefined;
}

/** The state of an event's session, and the memories of it that are in context. */
export async function conversationOf(
  event: HookEvent,
  context: EventContext,
): Promise<Conversation> {
  const { session, promptId } = event;
  if (session === undefined) return { state: FRESH_SESSION, shown: NOTHING_SHOWN };
  const state = loadSession(context.paths.sessions, session);
  const live = await liveBranch(event.transcript, state, context);
  const prompt = event.name === "UserPromptSubmit" ? event.prompt : undefined;
  return { state, live, shown: shown(state, live, { session, promptId, prompt }) };
}

/** The live branch of a session's transcript; for a fork that has none yet, its parent's. */
export async function liveBranch(
  transcript: string | undefined,
  { parent }: Pick<SessionState, "parent">,
  { branches }: Pick<EventContext, "branches">,
  patienceMs = READ_MS,
): Promise<LiveBranch | undefined> {
  const own = transcript && await within(patienceMs, branches.of(transcript));
  if (own || parent === undefined) return own || undefined;
  const before = await within(patienceMs, branches.of(parent));
  // The parent's later turns are not part of the fork.
  return before && { ...before, until: 0, promptIds: new Set() };
}

/** A block, and the memories in it. */
export interface Given {
  readonly block: string;
  readonly memories: readonly IndexedMemory[];
  /** Memories that it names without their text. */
  readonly listed?: readonly IndexedMemory[];
}

/** The record of a block that goes out with the answer to an event. */
export function deliveredWith(
  { name, promptId }: HookEvent,
  { block, memories, listed = [] }: Given,
  at: Date,
): Delivered {
  return {
    block: blockName(block),
    event: name,
    prompt: promptId,
    at: at.getTime(),
    bytes: Buffer.byteLength(block),
    memories: versions(memories),
    ...(listed.length === 0 ? {} : { listed: versions(listed) }),
  };
}

/** Saves a session's state; a folder that cannot be written does not cost the answer. */
export function keepSession(
  { session }: HookEvent,
  state: SessionState,
  { paths, log }: EventContext,
): void {
  if (session === undefined) return;
  try {
    saveSession(paths.sessions, session, state);
  } catch (error) {
    log("session", { failed: messageOf(error) });
  }
}

function versions(memories: readonly IndexedMemory[]): Record<string, string> {
  return Object.fromEntries(memories.map((memory) => [memory.path, versionOf(memory)]));
}
