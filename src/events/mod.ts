import type { EventHandler } from "./event.ts";
import { deliverLate, sessionEnd } from "./late_delivery.ts";
import { postToolUse } from "./post_tool_use.ts";
import { sessionStart } from "./session_start.ts";
import { subagentStart } from "./subagent_start.ts";
import { userPromptSubmit } from "./user_prompt_submit.ts";

/** The hook events that memo acts on. Any other is answered with nothing. */
export const EVENTS: Readonly<Record<string, EventHandler>> = {
  SessionStart: sessionStart,
  UserPromptSubmit: userPromptSubmit,
  PostToolUse: postToolUse,
  PostToolBatch: deliverLate,
  SubagentStart: subagentStart,
  SessionEnd: sessionEnd,
};
