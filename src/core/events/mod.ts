import type { HookEventName } from "../../../hooks/events.ts";
import type { HookOutput } from "../../../hooks/wire.ts";
import {
  type EventAnswer,
  type EventContext,
  type EventHandler,
  type HookEvent,
  SILENT,
  spokenIn,
} from "./event.ts";
import { answerPrompt, deliverLate } from "./user_prompt_submit.ts";
import { whilePaused } from "./conversation.ts";
import { postToolUse, preToolUse, subagentStart } from "./subagent_start.ts";
import { sessionEnd, stop } from "./stop.ts";
import { sessionStart } from "./session_start.ts";

/** The handler of each event of the table in `hooks/events.ts`; `Features.answers` has what features add. */
const HANDLERS: { readonly [Name in HookEventName]: EventHandler<Name> } = {
  SessionStart: sessionStart,
  UserPromptSubmit: answerPrompt,
  PreToolUse: preToolUse,
  PreSkillShellCommand: () => Promise.resolve(SILENT),
  SubagentStart: subagentStart,
  PostToolUse: postToolUse,
  PostToolUseFailure: () => Promise.resolve(SILENT),
  PostToolBatch: deliverLate,
  Stop: stop,
  SessionEnd: sessionEnd,
};

/** Answers a hook event; if it throws, the hook prints no memory. */
export async function handle(event: HookEvent, context: EventContext): Promise<HookOutput> {
  const handler = HANDLERS[event.name] as EventHandler;
  const answer = context.answers[event.name] as EventAnswer | undefined;
  const paused = whilePaused(event, context);
  const isSpoken = spokenIn(event) !== undefined;
  const own = paused ?? (isSpoken ? SILENT : await handler(event, context));
  return { ...own, ...await answer?.(event, context, paused !== undefined) };
}
