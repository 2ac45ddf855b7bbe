import type { HookOutput } from "../../hooks/wire.ts";
import { type EventContext, type HookEvent, SILENT } from "./event.ts";

/** The model is about to start a subagent: keeps its task for `SubagentStart`, which does not include it. */
export function preToolUse(
  { session, promptId, call, agentType, task }: HookEvent<"PreToolUse">,
  context: EventContext,
): Promise<HookOutput> {
  if (session !== undefined && call !== undefined && task !== undefined) {
    const asked = { session, promptId, call, type: agentType, prompt: task };
    context.tasks.add(asked, context.now().getTime());
  }
  return Promise.resolve(SILENT);
}
