import { capture } from "./capture.ts";
import type { EventHandler } from "./event.ts";
import { deliverLate } from "./late_delivery.ts";
import { postCompact } from "./post_compact.ts";
import { postToolUse } from "./post_tool_use.ts";
import { sessionEnd } from "./session_end.ts";
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
  Stop: capture,
  PreCompact: capture,
  PostCompact: postCompact,
  SessionEnd: sessionEnd,
};
