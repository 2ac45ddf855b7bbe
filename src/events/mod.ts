import type { HookEventName } from "../../hooks/events.ts";
import type { HookOutput } from "../../hooks/wire.ts";
import type { EventContext, EventHandler, HookEvent } from "./event.ts";
import { deliverLate } from "./late_delivery.ts";
import { whilePaused } from "./pause.ts";
import { postToolUse } from "./post_tool_use.ts";
import { postToolUseFailure } from "./post_tool_use_failure.ts";
import { preToolUse } from "./pre_tool_use.ts";
import { sessionEnd } from "./session_end.ts";
import { sessionStart } from "./session_start.ts";
import { stop } from "./stop.ts";
import { subagentStart } from "./subagent_start.ts";
import { userPromptSubmit } from "./user_prompt_submit.ts";

/** The handler of each event of the table in `hooks/events.ts`. */
const HANDLERS: { readonly [Name in HookEventName]: EventHandler<Name> } = {
  SessionStart: sessionStart,
  UserPromptSubmit: userPromptSubmit,
  PreToolUse: preToolUse,
  SubagentStart: subagentStart,
  PostToolUse: postToolUse,
  PostToolUseFailure: postToolUseFailure,
  PostToolBatch: deliverLate,
  Stop: stop,
  SessionEnd: sessionEnd,
};

/** Answers a hook event; if it throws, the hook prints no memory. */
export async function handle(event: HookEvent, context: EventContext): Promise<HookOutput> {
  const handler = HANDLERS[event.name] as EventHandler;
  return whilePaused(event, context) ?? await handler(event, context);
}
