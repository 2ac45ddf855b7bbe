// Claude Code throws away what a hook says after its timeout, and a start hook may not have run at all: then the titles
// that a session begins with come with a prompt, once.

import { type Conversation, deliveredWith } from "./conversation.ts";
import type { EventContext, HookEvent } from "./event.ts";
import { blockOf, leaveStartReceipt } from "./session_start.ts";
import { hasStart, isStart, journalWithout } from "./starts.ts";

/** What one hook's output may have, start block and prompt's block together: of more the model gets a preview. */
const OUTPUT_CHARS = 9500;
/** A start block of fewer characters has no titles. */
const LEAST_CHARS = 500;

/** The start block that a conversation lacks, and the conversation with it; undefined: it lacks none. */
export async function lateStart(
  event: HookEvent<"UserPromptSubmit">,
  context: EventContext,
  conversation: Conversation,
): Promise<{ readonly block: string; readonly conversation: Conversation } | undefined> {
  const { config, now } = context;
  const { state, shown } = conversation;
  const room = OUTPUT_CHARS - config["recall.block_chars"];
  if (room < LEAST_CHARS || !lacksStart(conversation, context)) return undefined;
  const started = performance.now();
  const start = await blockOf({ journal: journalWithout(event, context, { turns: shown.own }) }, {
    ...context,
    config: { ...config, "recall.start_chars": Math.min(room, config["recall.start_chars"]) },
  });
  const { block } = start;
  if (block === undefined) return undefined;
  const at = now();
  const given = { ...deliveredWith(event, { ...start, block }, at), event: "SessionStart" };
  const all = performance.now() - started, why = "came with a prompt";
  const asStart = {
    ...event,
    name: "SessionStart",
    source: undefined,
    sinceAnswer: undefined,
  } as const;
  leaveStartReceipt(asStart, context, { start, all, why });
  return {
    block,
    conversation: {
      ...conversation,
      state: { ...state, begun: state.begun || at.getTime() },
      shown: {
        ...shown,
        seen: new Map([...shown.seen, ...Object.entries(given.memories)]),
        listed: new Map([...shown.listed, ...Object.entries(given.listed ?? {})]),
        bytes: shown.bytes + given.bytes,
        delivered: [...shown.delivered, given],
      },
    },
  };
}

/**
 * Whether a conversation in Claude Code has no start block, and none is on its way. Before its first answer there is no
 * transcript that would tell: there the start counts as answered if memo has noted that Claude Code took it.
 */
function lacksStart({ state, shown, live }: Conversation, { pid }: EventContext): boolean {
  if (state.isBare || shown.delivered.some(isStart)) return false;
  if (live !== undefined && hasStart(live)) return false;
  return live === undefined || live.prompts.length === 0
    ? state.begun === 0 && pid !== undefined
    : live.hasHookTexts === true;
}
